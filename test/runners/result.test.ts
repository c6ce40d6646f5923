import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { createRandom } from '../../src/base/random.io.ts';
import { createGit } from '../../src/changes/git/git.io.ts';
import { checkResult } from '../../src/runners/repository/check-result.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { git, repositoryWithTask } from './remote-session.ts';

const ports = { git: createGit(process.env), disk: createDisk(), random: createRandom() };

/** A clone as a hostile runner has it, and how its bundle fares. */
const hostile = () => {
  const { workspace } = repositoryWithTask();
  const there = join(tempDir(), 'clone');
  execFileSync('git', ['clone', '--quiet', workspace, there]);
  const base = git(workspace, 'rev-parse', 'HEAD');
  const file = join(there, 'result.bundle');
  const check = (from = base): Promise<string> =>
    checkResult(
      ports,
      { root: workspace, gitDir: join(workspace, '.git') },
      { file, base: from, ref: 'refs/ralph/runners/x/result' },
    );
  const commit = (message = 'work'): void =>
    void git(there, 'commit', '--quiet', '--allow-empty', '-m', message);
  const bundle = (...refs: readonly string[]): void =>
    void git(there, 'bundle', 'create', '--quiet', file, ...refs, `^${base}`);
  const branch = (): void => void git(there, 'branch', '--force', 'ralph-result', 'HEAD');
  /** Commits a tree with this path, which no work tree could hold. */
  const plant = (path: string, mode = '100644'): void => {
    const blob =
      mode === '160000'
        ? base
        : execFileSync('git', ['hash-object', '-w', '--stdin'], {
            cwd: there,
            input: 'x',
            encoding: 'utf8',
          }).trim();
    const leaf = execFileSync('git', ['mktree'], {
      cwd: there,
      input: `${mode} ${mode === '160000' ? 'commit' : 'blob'} ${blob}\t${path.split('/').at(-1)}\n`,
      encoding: 'utf8',
    }).trim();
    const tree = path
      .split('/')
      .slice(0, -1)
      .reduceRight(
        (below, name) =>
          execFileSync('git', ['mktree'], {
            cwd: there,
            input: `040000 tree ${below}\t${name}\n`,
            encoding: 'utf8',
          }).trim(),
        leaf,
      );
    const made = git(there, 'commit-tree', tree, '-p', base, '-m', 'planted');
    git(there, 'update-ref', 'refs/heads/ralph-result', made);
  };
  return { workspace, there, base, file, check, commit, bundle, branch, plant };
};

test('a result of one branch that grew from the base is taken over', async () => {
  const { workspace, commit, branch, bundle, check, there } = hostile();
  commit();
  branch();
  bundle('refs/heads/ralph-result');
  expect(await check()).toBe(git(there, 'rev-parse', 'HEAD'));
  expect(git(workspace, 'rev-parse', 'refs/ralph/runners/x/result')).toBe(git(there, 'rev-parse', 'HEAD'));
});

test('another branch, or several, are refused', async () => {
  const { commit, branch, bundle, check, there } = hostile();
  commit();
  branch();
  git(there, 'branch', 'other');
  bundle('refs/heads/ralph-result', 'refs/heads/other');
  await expect(check()).rejects.toThrow(
    "the runner's result was refused: it contains 2 branches, but only one was expected",
  );
  bundle('refs/heads/other');
  await expect(check()).rejects.toThrow('it contains a different branch than expected');
});

test('a file that is no bundle is refused', async () => {
  const { file, check } = hostile();
  writeFileSync(file, 'not a bundle');
  await expect(check()).rejects.toThrow('it is not a bundle');
});

test('a result that did not grow from the base is refused, and nothing of it is named here', async () => {
  const { workspace, there, commit, branch, bundle, check } = hostile();
  commit();
  branch();
  bundle('refs/heads/ralph-result');
  git(workspace, 'commit', '--quiet', '--allow-empty', '-m', 'mine');
  await expect(check(git(workspace, 'rev-parse', 'HEAD'))).rejects.toThrow(
    'it does not descend from the commit that was sent',
  );
  expect(git(workspace, 'for-each-ref', 'refs/ralph')).toBe('');
  expect(git(there, 'rev-parse', 'HEAD')).not.toBe('');
});

test.each([
  ['.git/hooks/post-checkout', /git would treat as its own|does not accept it/u],
  ['sub/.GIT/config', /git would treat as its own|does not accept it/u],
  ['git~1/config', /git would treat as its own|does not accept it/u],
  ['.git\u200c/config', /git would treat as its own|does not accept it/u],
])("a path that a file system takes for git's own is refused: %s", async (path, why) => {
  const { workspace, plant, bundle, check } = hostile();
  plant(path);
  bundle('refs/heads/ralph-result');
  await expect(check()).rejects.toThrow(why);
  expect(git(workspace, 'for-each-ref', 'refs/ralph')).toBe('');
});

test('a changed submodule is refused', async () => {
  const { plant, bundle, check } = hostile();
  plant('vendor/lib', '160000');
  bundle('refs/heads/ralph-result');
  await expect(check()).rejects.toThrow('it changes the submodule vendor/lib');
});
