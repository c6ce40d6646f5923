import { z } from 'zod';
import type { TaskDefinition } from '../../../tasks/task.ts';
import type { CommitAnswer } from '../../roles/answers.ts';
import { count } from '../../roles/markdown.ts';
import { dirtyFiles, type GitResult, git, gitStatus, runsAlone } from './git.ts';
import { answered, type ScriptContext, type ScriptTurn } from './script-turn.ts';

/**
 * The commit step (engine.md): only files that are this task's (declared and changed; what nobody declared only when the task ran alone), never
 * `add -A`, and what a person had staged stays staged and uncommitted. Hooks run; one retry, because another program may hold the index.
 */
export const commit: ScriptTurn = async (context, ask) => {
  const { task } = context.brief;
  if (!task) return { kind: 'failed', fault: { code: 'no-task', what: 'commit needs a task' } };
  const { changed } = commitDataSchema.parse(ask.data ?? {});
  const first = await commitWhatIsLeft(context, task, changed);
  if (first.status !== 'failed' || context.stopped()) return answered(first);
  if (first.detail.includes('index.lock'))
    await new Promise<void>((resolve) => context.clock.after(lockPatienceMs, resolve));
  // Looked at anew: who held the index may have committed the very same files.
  return answered(await commitWhatIsLeft(context, task, changed));
};

const commitDataSchema = z.object({ changed: z.array(z.string()).readonly().default([]) });

/** How long somebody else's git is waited for; most of what it does takes less. */
const lockPatienceMs = 1_000;

const commitWhatIsLeft = async (
  context: ScriptContext,
  task: TaskDefinition,
  changed: readonly string[],
): Promise<CommitAnswer> => {
  const status = await gitStatus(context);
  if (!status) return said('skipped', 'the workspace is not in a git repository');
  const dirty = dirtyFiles(status);
  const alone = runsAlone(context);
  const declared = (file: string): boolean =>
    task.files.some((own) => file === clean(own) || file.startsWith(`${clean(own)}/`));
  const own = changed.filter((file) => declared(file) || alone);
  const files = dirty.filter((file) => own.includes(file));
  const unattributed = dirty.filter((file) => !files.includes(file) && !declared(file));
  const made =
    files.length === 0
      ? said('skipped', await whyNothingIsLeft(context, own))
      : await commitFiles(context, files, status);
  return { ...made, files, unattributed };
};

const whyNothingIsLeft = async (context: ScriptContext, own: readonly string[]): Promise<string> => {
  if (own.length === 0) return 'nothing of this task changed';
  const ignored = await git(context, [
    'ls-files',
    '--others',
    '--ignored',
    '--exclude-standard',
    '-z',
    '--',
    ...own,
  ]);
  return own.every((file) => ignored.out.split('\0').includes(file))
    ? 'git ignores what it changed'
    : 'its changes are already committed';
};

const commitFiles = async (
  context: ScriptContext,
  files: readonly string[],
  status: ReadonlyMap<string, string>,
): Promise<CommitAnswer> => {
  const fresh = files.filter((file) => status.get(file) === '??');
  // `commit --only` takes files from the work tree, but it has to know the new ones.
  const known = fresh.length === 0 ? null : await git(context, ['add', '--intent-to-add', '--', ...fresh]);
  const done =
    known?.ok === false
      ? known
      : await git(
          context,
          [...reflogKept, 'commit', '--quiet', '--only', '-m', message(context), '--', ...files],
          { GIT_REFLOG_ACTION: reflogWord(context) },
        );
  if (done.ok) {
    const made = await commitMade(context);
    return { ...said('success', count(files.length, 'file')), ...(made === null ? {} : { commit: made }) };
  }
  if (fresh.length > 0) await git(context, ['reset', '--quiet', '--', ...fresh]);
  // The reason is one line; a hook may have said more, and that is what one mends it by.
  context.host.output(new TextEncoder().encode(`${wordsOf(done)}\n`), 'stderr');
  return said('failed', reasonOf(done));
};

/** For this one commit also where a repository keeps no reflog. */
const reflogKept = ['-c', 'core.logAllRefUpdates=true'];

/** What the reflog says of this invocation's commits, and of nobody else's: git writes it beside the commit it made. */
const reflogWord = ({ brief }: ScriptContext): string => `ralph-tui ${brief.session}/${brief.invocation}`;

/** HEAD may be somebody else's commit by now, so the reflog is asked for ours. */
const commitMade = async (context: ScriptContext): Promise<string | null> => {
  const found = await git(context, [
    'rev-list',
    '--walk-reflogs',
    '--max-count=1',
    '--abbrev-commit',
    `--grep-reflog=^${reflogWord(context)}:`,
    'HEAD',
  ]);
  return found.ok && found.out.trim() !== '' ? found.out.trim() : null;
};

/** The first line that tells something: git says what is wrong first and what to do about it in paragraphs. */
const reasonOf = (result: GitResult): string =>
  wordsOf(result)
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '' && !/^(?:hint|warning):/u.test(line)) ??
  'git gave no reason: a hook may have said no';

const wordsOf = ({ error, out }: GitResult): string => error || out.trim();

const message = ({ brief, redact = (text) => text }: ScriptContext): string =>
  redact(
    `${brief.task?.title.trim() || brief.task?.id}\n\nTask: ${brief.task?.id}\nSession: ${brief.session}, iteration ${brief.iteration}, attempt ${brief.attempt ?? 1}`,
  );

const clean = (path: string): string => path.replace(/^\.\//u, '').replace(/\/+$/u, '');

const said = (status: CommitAnswer['status'], detail: string): CommitAnswer => ({
  status,
  detail,
  files: [],
  unattributed: [],
});
