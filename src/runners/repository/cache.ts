import { join } from 'node:path';
import { FaultError } from '../../base/fault.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { discard } from '../../base/temporary-file.ts';
import { type BareCopyPorts, ensureCopy, removeCopy } from './bare-copy.ts';
import { resultBranch } from './check-result.ts';
import { firstLine, gitSays, gitText } from './git.ts';
import { commitOfTree, type WorkTree } from './tree-commit.ts';
import { type Trim, trimCopies, usedFile } from './trim-copies.ts';

/** The runner's copies of repositories: bare, one each, with a ref for each commit that work began from. */
export interface Cache {
  /** The commits at which a copy ends, newest first. */
  commits(repository: string): Promise<readonly string[]>;
  /** A new file for a bundle that arrives. */
  uploadFile(repository: string, upload: string): Promise<string>;
  /** Takes a bundle over and removes the file. */
  take(repository: string, file: string): Promise<void>;
  /** Makes a work tree at `base`. A fault `runner-cache` when the copy lacks it or is damaged; a damaged one was removed. */
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

export const createCache = (ports: BareCopyPorts): Cache => {
  const { git, disk, random, directory, removeTree } = ports;
  const placeOf = (repository: string): string => join(directory, `${repository}.git`);

  const ensure = async (repository: string): Promise<{ readonly cwd: string; readonly gitDir: string }> => {
    const place = placeOf(repository);
    await ensureCopy(ports, place);
    return { cwd: place, gitDir: place };
  };

  /** Whether a copy keeps the commit as one that work began from. git writes that ref last, when everything below the commit is there. */
  const keeps = (place: string, commit: string): Promise<boolean> =>
    gitSays(git, {
      cwd: directory,
      gitDir: place,
      args: ['rev-parse', '--quiet', '--verify', `refs/bases/${commit}`],
    });

  return {
    commits: async (repository) => {
      const here = await ensure(repository);
      replaceFile(disk, random, join(here.gitDir, usedFile), '');
      const args = [
        'for-each-ref',
        '--sort=-creatordate',
        `--count=${mostCommits}`,
        '--format=%(objectname)',
        'refs/bases',
      ];
      const said = await gitText(git, 'list its commits', { ...here, args });
      return said === '' ? [] : said.split('\n');
    },
    uploadFile: async (repository, upload) => {
      const { cwd } = await ensure(repository);
      return join(cwd, `upload-${upload}.bundle`);
    },
    take: async (repository, file) => {
      const here = await ensure(repository);
      try {
        const heads = await gitText(git, 'read the bundle', {
          ...here,
          args: ['bundle', 'list-heads', file],
        });
        const [commit = '', ref = ''] = heads.split('\n')[0]?.split(' ') ?? [];
        const refs = `+${ref}:refs/bases/${commit}`;
        const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', file, refs];
        const fetched = await git.run({ ...here, args, config: ['fetch.fsckObjects=true'] });
        // Of two workers that bring the same commit at once, git lets one write the ref.
        if (fetched.code !== 0 && !(await keeps(here.gitDir, commit)))
          throw new FaultError({
            code: 'runner-git',
            what: `git could not take the commits over: ${firstLine(fetched.error)}`,
          });
      } finally {
        discard(disk, file);
      }
    },
    checkOut: async (repository, base, root) => {
      const { cwd: place } = await ensure(repository);
      const gitDir = join(root, '.git');
      const args = ['init', '--quiet', '--template=', '--initial-branch=work', root];
      await gitText(git, 'make the work tree', { cwd: place, args });
      disk.mkdir(join(gitDir, 'objects', 'info'));
      const alternates = `${join(place, 'objects')}\n`;
      replaceFile(disk, random, join(gitDir, 'objects', 'info', 'alternates'), alternates);
      const on = { cwd: root, gitDir, workTree: root };
      const fill = () => git.run({ ...on, args: ['reset', '--quiet', '--hard', base] });
      let reset = await fill();
      // Another worker may have put a good copy in the place of a damaged one meanwhile: it is tried before it is judged.
      if (reset.code !== 0 && (await keeps(place, base))) {
        reset = await fill();
        if (reset.code !== 0) await removeCopy(ports, place);
      }
      if (reset.code === 0) return { root, gitDir };
      await removeTree(root);
      throw new FaultError({
        code: 'runner-cache',
        what: `the runner's copy of the repository lacks the commit or is damaged: ${firstLine(reset.error)}`,
        hint: 'the next try sends it anew',
      });
    },
    pack: async (tree, base, file) => {
      const commit = await commitOfTree(ports, tree, base, 'What the runner changed');
      if (commit === base) return null;
      const here = { cwd: tree.root, gitDir: tree.gitDir };
      await gitText(git, 'name the result', { ...here, args: ['update-ref', resultBranch, commit] });
      const args = ['bundle', 'create', '--quiet', file, resultBranch, `^${base}`];
      await gitText(git, 'pack the result', { ...here, args });
      return commit;
    },
    packKept: async (repository, name, base, file) => {
      const here = await ensure(repository);
      const args = ['bundle', 'create', '--quiet', file, `refs/late/${name}`, `^${base}`];
      await gitText(git, 'pack the result', { ...here, args });
    },
    forget: async (repository, name) => {
      const here = await ensure(repository);
      await gitSays(git, { ...here, args: ['update-ref', '-d', `refs/late/${name}`] });
    },
    keep: async (repository, tree, commit, name) => {
      const here = await ensure(repository);
      const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', tree.gitDir];
      await gitText(git, 'keep the result', {
        ...here,
        args: [...args, `+${resultBranch}:refs/late/${name}`],
      });
      await gitSays(git, { ...here, args: ['cat-file', '-e', commit] });
    },
    trim: (trim) => trimCopies(ports, trim),
  };
};
