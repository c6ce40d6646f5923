import { z } from 'zod';
import type { CommitAnswer } from '../../roles/answers.ts';
import { count } from '../../roles/markdown.ts';
import { dirtyFiles, git, gitStatus, runsAlone } from './git.ts';
import { answered, type ScriptContext, type ScriptTurn } from './script-turn.ts';

/**
 * The commit step (engine.md): only files that are this task's (declared and changed; what nobody declared only when the task ran alone), never
 * `add -A`, and what a person had staged stays staged and uncommitted. Hooks run; one retry, because another program may hold the index.
 */
export const commit: ScriptTurn = async (context, ask) => {
  const { task } = context.brief;
  if (!task) return { kind: 'failed', fault: { code: 'no-task', what: 'commit needs a task' } };
  const { changed } = commitDataSchema.parse(ask.data ?? {});
  const status = await gitStatus(context);
  if (!status) return answered(said('skipped', 'the workspace is not in a git repository'));
  const dirty = dirtyFiles(status);
  const alone = runsAlone(context);
  const declared = (file: string): boolean =>
    task.files.some((own) => file === clean(own) || file.startsWith(`${clean(own)}/`));
  const files = dirty.filter((file) => changed.includes(file) && (declared(file) || alone));
  const unattributed = dirty.filter((file) => !files.includes(file) && !declared(file));
  if (files.length === 0) return answered(said('skipped', 'nothing of this task changed', [], unattributed));
  const made = await commitFiles(context, files, status, message(context));
  return answered({ ...made, files, unattributed });
};

const commitDataSchema = z.object({ changed: z.array(z.string()).readonly().default([]) });

const commitFiles = async (
  context: ScriptContext,
  files: readonly string[],
  status: ReadonlyMap<string, string>,
  text: string,
): Promise<CommitAnswer> => {
  const fresh = files.filter((file) => status.get(file) === '??');
  let error = '';
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    // `commit --only` takes files from the work tree, but it has to know the new ones.
    const known = fresh.length === 0 || (await git(context, ['add', '--intent-to-add', '--', ...fresh])).ok;
    const done = known
      ? await git(context, ['commit', '--quiet', '--only', '-m', text, '--', ...files])
      : { ok: false, error: 'git add failed', out: '' };
    if (done.ok) {
      const head = await git(context, ['rev-parse', '--short', 'HEAD']);
      return { ...said('success', count(files.length, 'file')), commit: head.out.trim() };
    }
    error = done.error || done.out;
    if (context.stopped()) break;
  }
  if (fresh.length > 0) await git(context, ['reset', '--quiet', '--', ...fresh]);
  return said('failed', error.trim().split('\n').slice(-3).join(' '));
};

const message = ({ brief, redact = (text) => text }: ScriptContext): string =>
  redact(
    `${brief.task?.title.trim() || brief.task?.id}\n\nTask: ${brief.task?.id}\nSession: ${brief.session}, iteration ${brief.iteration}, attempt ${brief.attempt ?? 1}`,
  );

const clean = (path: string): string => path.replace(/^\.\//u, '').replace(/\/+$/u, '');

const said = (
  status: CommitAnswer['status'],
  detail: string,
  files: readonly string[] = [],
  unattributed: readonly string[] = [],
): CommitAnswer => ({ status, detail, files, unattributed });
