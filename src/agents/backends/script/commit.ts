import { join } from 'node:path';
import { z } from 'zod';
import type { TaskDefinition } from '../../../tasks/task.ts';
import { isDeclared } from '../../../tasks/task-files.ts';
import type { CommitAnswer } from '../../answers.ts';
import { largeCommit } from '../../large-commit.ts';
import { count } from '../../roles/markdown.ts';
import { dirtyFiles, type GitResult, git, gitStatus, runsAlone } from './git.ts';
import { answered, type ScriptContext, type ScriptTurn } from './script-turn.ts';

/**
 * The commit step (src/engine/README.md). Commits only this task's files: declared and changed ones, and undeclared ones only if the task ran alone. Never uses
 * `add -A`. A person's staged files stay staged and uncommitted. Runs hooks. Tries twice, because another program may hold the index.
 */
export const commit: ScriptTurn = async (context, ask) => {
  const { task } = context.brief;
  if (!task) return { kind: 'failed', fault: { code: 'no-task', what: 'commit needs a task' } };
  const { changed } = commitDataSchema.parse(ask.data ?? {});
  const first = await commitWhatIsLeft(context, task, changed);
  if (first.status !== 'failed') return answered(first);
  const stopped = context.stopped();
  // Git was stopped with its hook, and what it says of that is no reason.
  if (stopped) return answered({ ...first, detail: stoppedBy[stopped], stopped });
  if (first.detail.includes('index.lock'))
    await new Promise<void>((resolve) => context.clock.after(lockPatienceMs, resolve));
  // Look again: the holder of the index may have committed these very files.
  return answered(await commitWhatIsLeft(context, task, changed));
};

const stoppedBy = {
  abort: 'Aborted by signal while git committed',
  cancel: 'Cancelled while git committed',
} as const;

const commitDataSchema = z.object({ changed: z.array(z.string()).readonly().default([]) });

/** How long to wait for another git process. Most of its commands take less. */
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
  const declared = (file: string): boolean => isDeclared(task, file);
  const own = changed.filter((file) => declared(file) || alone);
  const files = dirty.filter((file) => own.includes(file));
  const unattributed = dirty.filter((file) => !files.includes(file) && !declared(file));
  const made =
    files.length === 0
      ? said('skipped', await whyNothingIsLeft(context, own, changed))
      : await commitFiles(context, files, status);
  return { ...made, files, unattributed };
};

const whyNothingIsLeft = async (
  context: ScriptContext,
  own: readonly string[],
  changed: readonly string[],
): Promise<string> => {
  if (changed.length === 0) return 'this task changed nothing';
  if (own.length === 0) {
    const more = changed.length > 3 ? ` and ${changed.length - 3} more` : '';
    return `this task changed only files that it does not declare: ${changed.slice(0, 3).join(', ')}${more}`;
  }
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
  const { disk, brief } = context;
  const large = largeCommit(files, (file) => disk.lstat(join(brief.workspace, file))?.size ?? 0);
  if (large !== null)
    return said('failed', `the history would keep ${large}: commit it yourself, or add it to .gitignore`);
  const fresh = files.filter((file) => status.get(file) === '??');
  // `commit --only` takes files from the work tree, but git must know the new ones.
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
  // The reason is one line. Hooks may print more, which is needed to fix the problem.
  context.host.output(new TextEncoder().encode(`${wordsOf(done)}\n`), 'stderr');
  return said('failed', reasonOf(done));
};

/** Writes the reflog for this one commit, even in a repository that keeps none. */
const reflogKept = ['-c', 'core.logAllRefUpdates=true'];

/** Marks this invocation's commits in the reflog, which git writes together with the commit. */
const reflogWord = ({ brief }: ScriptContext): string => `ralph-tui ${brief.session}/${brief.invocation}`;

/** Finds our commit in the reflog, because HEAD may be another commit by now. */
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

/** The first useful line: git states the error first, then hints in paragraphs. */
const reasonOf = (result: GitResult): string =>
  wordsOf(result)
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '' && !/^(?:hint|warning):/u.test(line)) ??
  'git gave no reason; a hook may have rejected the commit';

const wordsOf = ({ error, out }: GitResult): string => error || out.trim();

const message = ({ brief, redact = (text) => text }: ScriptContext): string =>
  redact(
    `${brief.task?.title.trim() || brief.task?.id}\n\nTask: ${brief.task?.id}\nSession: ${brief.session}, iteration ${brief.iteration}, attempt ${brief.attempt ?? 1}`,
  );

const said = (status: CommitAnswer['status'], detail: string): CommitAnswer => ({
  status,
  detail,
  files: [],
  unattributed: [],
});
