import { type Context, refuse, runGit } from '../context.ts';
import { textOf } from '../git/git-text.ts';
import { recordTree } from '../git/snapshot.ts';
import { mergeTrees, pathOfCopy } from '../git/three-way.ts';
import { type Entries, entriesOf } from '../git/tree-entries.ts';
import type { ConflictedFile } from '../merged.ts';
import type { Attempt } from '../port.ts';
import type { OpenSession } from '../session-state.ts';
import { worktreeOf } from './prepare.ts';

/**
 * The files of the worktree in which a person resolved the merge of `commit` with `onto`. Refused while a conflicted file holds a line of a marker that
 * neither side had there, or while git's copy of one side is beside a file or directory of the same name.
 */
export const editedTree = async (
  session: OpenSession,
  attempt: Attempt,
  { commit, onto }: { readonly commit: string; readonly onto: string },
): Promise<string> => {
  const { context } = session;
  const { tree } = await recordTree(context, worktreeOf(context, attempt));
  const merge = await mergeTrees(context, onto, commit);
  if (merge.clean) return tree;
  const entries = await entriesOf(context, tree);
  const names = ['HEAD', context.names.branch];
  const isClash = (path: string | null): boolean => merge.clashes.some((clash) => clash.path === path);
  const copies = [...entries.keys()].filter((path) => isClash(pathOfCopy(path, names)));
  if (copies.length > 0)
    throw refuse('markers-left', `copies of conflicting versions remain: ${copies.slice(0, 3).join(', ')}`, {
      hint: 'keep the version you want under the original name, remove the copies, then resolve again',
    });
  const marked: string[] = [];
  for (const file of merge.files) marked.push(...(await markersIn(context, file, entries)));
  if (marked.length > 0)
    throw refuse('markers-left', `there are still conflict markers in ${marked.slice(0, 3).join(', ')}`, {
      hint: 'remove them, then resolve again',
    });
  return tree;
};

/** Lines of markers as git writes them. A heading of Markdown may be underlined by seven `=` as well. */
const marker = /^(?:(?:<{7}|>{7}|\|{7})(?: .*)?|={7})$/;

const markersIn = async (
  context: Context,
  { path, session, task }: ConflictedFile,
  entries: Entries,
): Promise<readonly string[]> => {
  const entry = entries.get(path);
  if (entry === undefined || !entry.startsWith('100')) return [];
  const linesOf = async (blob: string): Promise<readonly string[]> =>
    textOf(await runGit(context, 'read a file', ['cat-file', 'blob', blob]))
      .split('\n')
      .map((line) => line.replace(/\r$/, ''));
  const lines = await linesOf(entry.split(' ')[1] ?? '');
  if (!lines.some((line) => marker.test(line))) return [];
  const known = new Set<string>();
  for (const side of [session, task])
    for (const line of side?.mode.startsWith('100') ? await linesOf(side.blob) : []) known.add(line);
  return lines.flatMap((line, at) => (marker.test(line) && !known.has(line) ? [`${path}:${at + 1}`] : []));
};
