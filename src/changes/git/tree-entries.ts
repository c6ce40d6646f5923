import { type Context, runGit } from '../context.ts';
import { partsOf } from './git-text.ts';

/** Files by path of the repository: "mode blob"; a missing one has no entry. */
export type Entries = ReadonlyMap<string, string>;

/** The files of a commit or tree, or those at one path and below it. */
export const entriesOf = async (
  context: Context,
  tree: string,
  path: string | null = null,
): Promise<Entries> => {
  const only = path === null ? [] : ['--', path];
  const list = ['ls-tree', '-r', '-z', '--full-tree', tree, ...only];
  return new Map(
    partsOf(await runGit(context, 'list the files', list)).flatMap((line) => {
      const match = /^(\d{6}) \w+ ([0-9a-f]+)\t([\s\S]+)$/.exec(line);
      return match ? [[match[3] ?? '', `${match[1]} ${match[2]}`] as const] : [];
    }),
  );
};
