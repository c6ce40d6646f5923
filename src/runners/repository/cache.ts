import { join } from 'node:path';
import { FaultError } from '../../base/fault.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { discard } from '../../base/temporary-file.ts';
import { type BareCopyPorts, copiesIn, currentCopy, replaceCopy } from './bare-copy.ts';
import { resultBranch } from './check-result.ts';
import { firstLine, gitSays, gitText } from './git.ts';
import { commitOfTree, type WorkTree } from './tree-commit.ts';
import { type Trim, trimCopies, usedFile } from './trim-copies.ts';

/** The runner's copies of repositories: bare, one each, with a ref for each commit that work began from. */
export interface Cache {
  /** The commits at which a copy ends, newest first. None when the copy is damaged: a new one is made, and everything is sent to it. */
  commits(repository: string): Promise<readonly string[]>;
  /** Fetches the branches of a remote repository, with this machine's own login. Returns why it could not, or `null`. */
  fetchOrigin(repository: string, url: string): Promise<string | null>;
  /** A new file for a bundle that arrives. */
  uploadFile(repository: string, upload: string): Promise<string>;
  /** Takes a bundle over and removes the file. A fault `runner-cache` when git could not, for example because the copy is damaged. */
  take(repository: string, file: string): Promise<void>;
  /** Makes a work tree at `base`. A fault `runner-cache` when the copy lacks it or is damaged: a new one then takes its place. */
  checkOut(repository: string, base: string, root: string): Promise<WorkTree>;
  /** Commits the files of a work tree and packs what is new. `null` when nothing changed. */
  pack(tree: WorkTree, base: string, file: string): Promise<string | null>;
  /** Packs a kept commit with everything above `base`. */
  packKept(repository: string, name: string, base: string, file: string): Promise<void>;
  /** Forgets a kept commit. */
  forget(repository: string, name: string): Promise<void>;
  /** Keeps the commit of a work tree under a ref of the copy, where it outlives the work tree. */
  keep(repository: string, tree: WorkTree, commit: string, name: string): Promise<void>;
  /** Removes copies that are not used until the rest keeps within a bound. */
  trim(trim: Trim): Promise<void>;
}

const mostCommits = 200;

export const createCache = (ports: BareCopyPorts): Cache => ({
  commits: (repository) => commits(ports, repository),
  fetchOrigin: (repository, url) => fetchOrigin(ports, repository, url),
  uploadFile: async (repository, upload) =>
    join((await currentCopy(ports, repository)).place, `upload-${upload}.bundle`),
  take: (repository, file) => take(ports, repository, file),
  checkOut: (repository, base, root) => checkOut(ports, repository, base, root),
  pack: (tree, base, file) => pack(ports, tree, base, file),
  packKept: (repository, name, base, file) => packKept(ports, repository, name, base, file),
  forget: (repository, name) => forget(ports, repository, name),
  keep: (repository, tree, commit, name) => keep(ports, repository, tree, commit, name),
  trim: (trim) => trimCopies(ports, trim),
});

const commits = async (ports: BareCopyPorts, repository: string): Promise<readonly string[]> => {
  const copy = await currentCopy(ports, repository);
  replaceFile(ports.disk, ports.random, join(copy.place, usedFile), '');
  const args = [
    'for-each-ref',
    // Also reads each of the commits: one that is gone is noticed here.
    '--sort=-creatordate',
    `--count=${mostCommits}`,
    '--format=%(objectname)',
    'refs/bases',
    'refs/origin',
  ];
  const { code, out } = await ports.git.run({ ...bare(copy.place), args });
  if (code !== 0) {
    await replaceCopy(ports, copy);
    return [];
  }
  const said = new TextDecoder().decode(out).trim();
  return said === '' ? [] : said.split('\n');
};

const fetchOrigin = async (ports: BareCopyPorts, repository: string, url: string): Promise<string | null> => {
  const { place } = await currentCopy(ports, repository);
  const args = ['fetch', '--quiet', '--no-tags', '--prune', '--no-write-fetch-head', '--'];
  const fetched = await ports.git.run({
    ...bare(place),
    args: [...args, url, '+refs/heads/*:refs/origin/*'],
    config: unasked,
    far: true,
  });
  return fetched.code === 0 ? null : firstLine(fetched.error);
};

const take = async (ports: BareCopyPorts, repository: string, file: string): Promise<void> => {
  const { git, disk } = ports;
  const copy = await currentCopy(ports, repository);
  const here = bare(copy.place);
  try {
    const heads = await gitText(git, 'read the bundle', { ...here, args: ['bundle', 'list-heads', file] });
    const [commit = '', ref = ''] = heads.split('\n')[0]?.split(' ') ?? [];
    const refs = `+${ref}:refs/bases/${commit}`;
    const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', file, refs];
    const fetched = await git.run({ ...here, args, far: true });
    // Of two workers that bring the same commit at once, git lets one write the ref.
    if (fetched.code === 0 || (await keepsCommit(ports, copy.place, commit))) return;
    if (!(await isWhole(ports, copy.place))) await replaceCopy(ports, copy);
    throw new FaultError(unusable(`could not import the commits: ${firstLine(fetched.error)}`));
  } finally {
    discard(disk, file);
  }
};

const checkOut = async (
  ports: BareCopyPorts,
  repository: string,
  base: string,
  root: string,
): Promise<WorkTree> => {
  const { git, disk, random, removeTree } = ports;
  const copy = await currentCopy(ports, repository);
  const { place } = copy;
  const gitDir = join(root, '.git');
  const args = ['init', '--quiet', '--template=', '--initial-branch=work', root];
  await gitText(git, 'make the work tree', { cwd: place, args });
  disk.mkdir(join(gitDir, 'objects', 'info'));
  const alternates = `${join(place, 'objects')}\n`;
  replaceFile(disk, random, join(gitDir, 'objects', 'info', 'alternates'), alternates);
  const on = { cwd: root, gitDir, workTree: root };
  const reset = await git.run({ ...on, args: ['reset', '--quiet', '--hard', base] });
  if (reset.code === 0) return { root, gitDir };
  await removeTree(root);
  if (isFull(reset.error)) throw new FaultError({ code: 'runner-git', what: firstLine(reset.error) });
  if (await keepsCommit(ports, place, base)) await replaceCopy(ports, copy);
  throw new FaultError(unusable(`lacks the commit or is damaged: ${firstLine(reset.error)}`));
};

const pack = async (
  ports: BareCopyPorts,
  tree: WorkTree,
  base: string,
  file: string,
): Promise<string | null> => {
  const { git } = ports;
  const commit = await commitOfTree(ports, tree, base, 'What the runner changed');
  if (commit === base) return null;
  const here = { cwd: tree.root, gitDir: tree.gitDir };
  await gitText(git, 'name the result', { ...here, args: ['update-ref', resultBranch, commit] });
  const args = ['bundle', 'create', '--quiet', file, resultBranch, `^${base}`];
  await gitText(git, 'pack the result', { ...here, args, far: true });
  return commit;
};

const packKept = async (
  ports: BareCopyPorts,
  repository: string,
  name: string,
  base: string,
  file: string,
): Promise<void> => {
  const place = (await copyWith(ports, repository, name)) ?? (await currentCopy(ports, repository)).place;
  const args = ['bundle', 'create', '--quiet', file, lateRef(name), `^${base}`];
  await gitText(ports.git, 'pack the result', { ...bare(place), args, far: true });
};

const forget = async (ports: BareCopyPorts, repository: string, name: string): Promise<void> => {
  const place = await copyWith(ports, repository, name);
  if (place !== undefined)
    await gitSays(ports.git, { ...bare(place), args: ['update-ref', '-d', lateRef(name)] });
};

const keep = async (
  ports: BareCopyPorts,
  repository: string,
  tree: WorkTree,
  commit: string,
  name: string,
): Promise<void> => {
  const here = bare((await currentCopy(ports, repository)).place);
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', tree.gitDir];
  await gitText(ports.git, 'keep the result', {
    ...here,
    args: [...args, `+${resultBranch}:${lateRef(name)}`],
    far: true,
  });
  await gitSays(ports.git, { ...here, args: ['cat-file', '-e', commit] });
};

/** Whether git reads the copy and finds each object that its commits need. Slow for a large one. */
const isWhole = ({ git }: BareCopyPorts, place: string): Promise<boolean> =>
  gitSays(git, {
    ...bare(place),
    args: ['fsck', '--connectivity-only', '--no-dangling', '--no-progress'],
    far: true,
  });

/** Whether a copy keeps the commit as one that work began from. git writes that ref last, when everything below the commit is there. */
const keepsCommit = ({ git }: BareCopyPorts, place: string, commit: string): Promise<boolean> =>
  gitSays(git, { ...bare(place), args: ['rev-parse', '--quiet', '--verify', `refs/bases/${commit}`] });

/** The place of the copy that keeps this work. It may be in one that was damaged later. */
const copyWith = async (
  ports: BareCopyPorts,
  repository: string,
  name: string,
): Promise<string | undefined> => {
  for (const { place } of copiesIn(ports, repository))
    if (
      await gitSays(ports.git, {
        ...bare(place),
        args: ['rev-parse', '--quiet', '--verify', lateRef(name)],
      })
    )
      return place;
  return undefined;
};

/** Nothing asks for a login, and a connection that stands still ends. */
const unasked = [
  'core.sshCommand=ssh -oBatchMode=yes -oConnectTimeout=15',
  'core.askPass=true',
  'credential.interactive=false',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=30',
];

const bare = (place: string) => ({ cwd: place, gitDir: place });

const lateRef = (name: string): string => `refs/late/${name}`;

/** git's own words for a full disk: nothing is damaged. */
const isFull = (error: string): boolean => /no space left on device|disk quota exceeded/iu.test(error);

const unusable = (why: string) => ({
  code: 'runner-cache',
  what: `the runner's copy of the repository ${why}`,
  hint: 'it will be sent again on the next attempt',
});
