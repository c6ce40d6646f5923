import { join } from 'node:path';
import { FaultError } from '../../base/fault.ts';
import { sha256 } from '../../base/hash.io.ts';
import { discard } from '../../base/temporary-file.ts';
import { checkResult } from './check-result.ts';
import { firstLine, gitSays, gitText } from './git.ts';
import { commitOfTree, type RepositoryPorts, type WorkTree } from './tree-commit.ts';

/** A directory of the host whose files go to a runner. */
export interface Place extends WorkTree {
  readonly commonDir: string;
  /** The directory inside the repository, `''` or a path that ends with `/`. */
  readonly prefix: string;
  readonly head: string;
  readonly repository: string;
}

/** The host's side of moving commits. */
export interface HostCopy {
  /** Where a directory is in its repository. */
  locate(directory: string): Promise<Place>;
  /** Its files as a commit, which the repository keeps under a ref of `name`. */
  snapshot(place: Place, name: string): Promise<string>;
  /** The address of the repository's `origin` without a login in it; `null` when it has none. */
  origin(place: Place): Promise<string | null>;
  /** A bundle with `commit` and everything below it that the runner lacks: a file, or `null` when it has the commit. */
  bundle(place: Place, name: string, commit: string, has: readonly string[]): Promise<string | null>;
  /** A new file for a result, absolute. */
  resultFile(place: Place, name: string): string;
  /** Checks a result and takes it over. Returns its commit. */
  receive(place: Place, file: string, name: string, base: string): Promise<string>;
  /** Brings the files of a work tree from `base` to `result`. Refused when they changed meanwhile. */
  apply(place: Place, base: string, result: string): Promise<void>;
  /** Keeps a result under `refs/ralph/late/<name>` and returns that ref. */
  keepLate(place: Place, name: string, commit: string): Promise<string>;
  /** Removes the refs of `name`. */
  forget(place: Place, name: string): Promise<void>;
}

const refOf = (name: string, what: 'base' | 'result'): string => `refs/ralph/runners/${name}/${what}`;

export const createHostCopy = (ports: RepositoryPorts): HostCopy => {
  const { git, disk, random } = ports;
  const repositories = new Map<string, Promise<string>>();
  const scratch = (place: Place, ending: string): string =>
    join(place.commonDir, `ralph-${random.hex(12)}.${ending}`);
  return {
    locate: (directory) => locate(ports, repositories, directory),
    snapshot: async (place, name) => {
      const commit = await commitOfTree(ports, place, place.head, `${name}: what its runner starts from`);
      // The head keeps itself.
      if (commit !== place.head) await keepBase(ports, place, name, commit);
      return commit;
    },
    origin: async (place) => {
      const { code, out } = await git.run({ ...at(place), args: ['remote', 'get-url', 'origin'] });
      const url = new TextDecoder().decode(out).trim();
      // Tokens stay here: the runner has a login of its own.
      return code === 0 && url !== '' ? url.replace(/^(https?:\/\/)[^/@]*@/u, '$1') : null;
    },
    bundle: async (place, name, commit, has) => {
      const known = await commitsHere(ports, place, has);
      if (known.includes(commit)) return null;
      if (commit === place.head) await keepBase(ports, place, name, commit);
      const file = scratch(place, 'bundle');
      const args = ['bundle', 'create', '--quiet', file, refOf(name, 'base'), ...known.map((id) => `^${id}`)];
      await gitText(git, 'pack the commits', { ...at(place), args, far: true });
      return file;
    },
    resultFile: (place) => scratch(place, 'result'),
    receive: async (place, file, name, base) => {
      try {
        return await checkResult(ports, place, { file, base, ref: refOf(name, 'result') });
      } finally {
        discard(disk, file);
      }
    },
    apply: (place, base, result) => apply(ports, place, base, result),
    keepLate: async (place, name, commit) => {
      const ref = `refs/ralph/late/${name}`;
      await gitText(git, 'keep a result', { ...at(place), args: ['update-ref', ref, commit] });
      return ref;
    },
    forget: async (place, name) => {
      const input = `delete ${refOf(name, 'base')}\ndelete ${refOf(name, 'result')}\n`;
      await gitSays(git, { ...at(place), args: ['update-ref', '--stdin'], input });
    },
  };
};

/** Names the commit that a runner starts from: a bundle holds refs, and git removes what no ref holds. */
const keepBase = async (
  { git }: RepositoryPorts,
  place: Place,
  name: string,
  commit: string,
): Promise<string> =>
  gitText(git, 'keep a commit', { ...at(place), args: ['update-ref', refOf(name, 'base'), commit] });

const at = ({ root, gitDir }: WorkTree) => ({ cwd: root, gitDir });

/** `repositories`: the name of each one that was found, by its common directory. */
const locate = async (
  ports: RepositoryPorts,
  repositories: Map<string, Promise<string>>,
  directory: string,
): Promise<Place> => {
  const asked = ['--show-toplevel', '--absolute-git-dir', '--git-common-dir'];
  const args = ['rev-parse', '--path-format=absolute', ...asked, '--is-shallow-repository', '--show-prefix'];
  const said = await gitText(ports.git, 'find the repository', {
    cwd: directory,
    args: [...args, 'HEAD^{commit}'],
    asIs: true,
  });
  const lines = said.split('\n');
  const [root = '', gitDir = '', commonDir = '', shallow = ''] = lines;
  if (shallow === 'true') throw new FaultError(shallowClone(root));
  const found = repositories.get(commonDir) ?? identify(ports, { root, gitDir });
  repositories.set(commonDir, found);
  found.catch(() => repositories.delete(commonDir));
  const prefix = lines.length > 5 ? (lines[4] ?? '') : '';
  return { root, gitDir, commonDir, prefix, head: lines.at(-1) ?? '', repository: await found };
};

const apply = async (
  { git, disk, random }: RepositoryPorts,
  place: Place,
  base: string,
  result: string,
): Promise<void> => {
  const indexFile = join(place.gitDir, `ralph-index-${random.hex(8)}`);
  const on = { ...at(place), workTree: place.root, indexFile };
  try {
    await gitText(git, 'read the commit', { ...on, args: ['read-tree', base] });
    await git.run({ ...on, args: ['update-index', '-q', '--refresh'] });
    const { code, error } = await git.run({ ...on, args: ['read-tree', '-m', '-u', base, result] });
    if (code !== 0)
      throw new FaultError({
        code: 'runner-result',
        what: `files in this workspace changed while the runner was working: ${firstLine(error)}`,
        where: place.root,
      });
  } finally {
    discard(disk, indexFile);
  }
};

/** The same repository has the same root commits, wherever it was cloned. */
const identify = async ({ git }: RepositoryPorts, { root, gitDir }: WorkTree): Promise<string> => {
  const args = ['rev-list', '--max-parents=0', 'HEAD'];
  const roots = await gitText(git, 'find the first commits', { cwd: root, gitDir, args });
  return sha256(roots.split('\n').sort().join('\n')).slice(0, 32);
};

/** The commits that this repository has, too. */
const commitsHere = async (
  { git }: RepositoryPorts,
  { root, gitDir }: WorkTree,
  commits: readonly string[],
): Promise<readonly string[]> => {
  if (commits.length === 0) return [];
  const args = ['cat-file', '--batch-check=%(objectname) %(objecttype)'];
  const said = await gitText(git, 'look for commits', {
    cwd: root,
    gitDir,
    args,
    input: `${commits.join('\n')}\n`,
  });
  return said.split('\n').flatMap((line) => {
    const [id = '', type = ''] = line.split(' ');
    return type === 'commit' ? [id] : [];
  });
};

const shallowClone = (root: string) => ({
  code: 'shallow-clone',
  what: 'a shallow clone cannot be sent to a runner, because commits are missing',
  where: root,
  hint: '`git fetch --unshallow` fetches them',
});
