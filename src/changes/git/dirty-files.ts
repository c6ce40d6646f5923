import { join } from 'node:path';
import type { WorkFiles } from '../files/work-files.ts';
import type { Git } from '../git.ts';
import { sessionsDirectory } from './changed-paths.ts';
import { partsOf } from './git-text.ts';
import { gitlinkMode, gitlinksIn } from './nested.ts';
import type { Located } from './repository.ts';

/** What this program writes: a session reads it in the workspace and never from a worktree. */
const ours = [sessionsDirectory, '.ralph/issues', '.ralph/.gitignore'] as const;

/** Files that differ from the last commit, and which of them are submodules. */
export interface Dirty {
  readonly dirty: readonly string[];
  readonly submodules: readonly string[];
}

/** Looks at the whole work tree. A file that holds just the `plan` does not count: the session reads it, and no task does. */
export const dirtyFiles = async (
  git: Git,
  files: WorkFiles,
  repository: Located,
  plan: string | null,
): Promise<Dirty> => {
  const { root, gitDir, prefix } = repository;
  const [answer, inSubmodules] = await Promise.all([
    git.run({
      args: [...statusOf('v2'), '--', ...withoutOurs(prefix)],
      cwd: root,
      gitDir,
      workTree: root,
      magicPaths: true,
    }),
    dirtySubmodules(git, files, { root, gitDir }),
  ]);
  const entries = partsOf(answer.out).map(statusEntry);
  const dirty = entries
    .map(({ path }) => path)
    .filter((path) => plan === null || files.read(join(root, path)) !== plan);
  const submodules = entries.flatMap(({ path, submodule }) => (submodule ? [path] : []));
  return {
    dirty: [...new Set([...dirty, ...inSubmodules])],
    submodules: [...new Set([...submodules, ...inSubmodules])],
  };
};

/** Left to git, because it names a folder in which all is new, and not what is in it. */
const withoutOurs = (prefix: string): readonly string[] => [
  '.',
  ...ours.map((path) => `:(exclude,literal)${prefix}${path}`),
];

/** git itself would look into submodules by a call that reads the configuration there, and runs what that names. */
const statusOf = (form: 'v1' | 'v2'): readonly string[] => [
  'status',
  `--porcelain=${form}`,
  '-z',
  '--untracked-files=normal',
  '--no-renames',
  '--ignore-submodules=dirty',
];

/** Submodules with changed or new files, those inside others under the path of the outermost. */
const dirtySubmodules = async (
  git: Git,
  files: WorkFiles,
  { root, gitDir }: { readonly root: string; readonly gitDir: string },
): Promise<readonly string[]> => {
  const index = join(gitDir, 'index');
  if (files.kind(index) === 'file' && !files.includes(index, gitlinkMode)) return [];
  const listed = await git.run({ args: ['ls-files', '-s', '-z'], cwd: root, gitDir, workTree: root });
  const looked = [...gitlinksIn(listed.out).keys()].map(async (path) => {
    const [inner, own] = [join(root, path), join(root, path, '.git')];
    if (files.kind(own) === null) return [];
    const place = { cwd: inner, gitDir: own, workTree: inner };
    const [status, below] = await Promise.all([
      git.run({ args: statusOf('v1'), ...place }),
      dirtySubmodules(git, files, { root: inner, gitDir: own }),
    ]);
    return status.code !== 0 || status.out.length > 0 || below.length > 0 ? [path] : [];
  });
  return (await Promise.all(looked)).flat();
};

/** `1 XY S.M. …six fields… path`, `u XY …eight fields… path` or `? path`: the third field of a submodule begins with S. */
const statusEntry = (entry: string): { readonly path: string; readonly submodule: boolean } => {
  const fields = entry.split(' ');
  const before = fields[0] === '?' ? 1 : fields[0] === 'u' ? 10 : 8;
  return {
    path: fields.slice(before).join(' '),
    submodule: before > 1 && fields[2]?.startsWith('S') === true,
  };
};
