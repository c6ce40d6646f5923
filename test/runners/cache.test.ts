import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { createRandom } from '../../src/base/random.io.ts';
import { createGit } from '../../src/changes/git/git.io.ts';
import { createCache } from '../../src/runners/repository/cache.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { git, repositoryWithTask } from './remote-session.ts';

const repository = 'a'.repeat(32);
const workers = [1, 2, 3, 4, 5, 6];

/** Copies of one machine in one directory, as two of its processes have them. */
const machine = () => {
  const directory = join(tempDir(), 'repositories');
  const cache = () =>
    createCache({
      git: createGit(process.env),
      disk: createDisk(),
      random: createRandom(),
      directory,
      removeTree: async (path) => rmSync(path, { recursive: true, force: true }),
    });
  const processes = [cache(), cache()] as const;
  return { directory, cacheOf: (worker: number) => processes[worker % 2 === 0 ? 0 : 1] };
};

/** Brings the commit of a repository as one worker does. */
const bring = async (cacheOf: ReturnType<typeof machine>['cacheOf'], workspace: string, worker: number) => {
  const cache = cacheOf(worker);
  const base = git(workspace, 'rev-parse', 'HEAD');
  await cache.commits(repository);
  const file = await cache.uploadFile(repository, `upload-${worker}`);
  execFileSync('git', ['bundle', 'create', '--quiet', file, 'HEAD'], { cwd: workspace });
  await cache.take(repository, file);
  return cache.checkOut(repository, base, join(tempDir(), `tree-${worker}`));
};

test('workers of two processes that bring the same commit to a new copy at once all get their files', async () => {
  const { workspace } = repositoryWithTask();
  for (let round = 0; round < 3; round += 1) {
    const { directory, cacheOf } = machine();
    const trees = await Promise.all(workers.map((worker) => bring(cacheOf, workspace, worker)));
    for (const { root } of trees) expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('first\n');
    expect(readdirSync(directory)).toEqual([`${repository}.git`]);
  }
});

test('what an unfinished removal left is replaced', async () => {
  const { workspace } = repositoryWithTask();
  const { directory, cacheOf } = machine();
  mkdirSync(join(directory, `${repository}.git`, 'objects'), { recursive: true });
  const { root } = await bring(cacheOf, workspace, 1);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('first\n');
  expect(readdirSync(directory)).toEqual([`${repository}.git`]);
});

test('a commit that a copy never had is a fault, and the copy stays for the others', async () => {
  const { workspace } = repositoryWithTask();
  const { cacheOf } = machine();
  await bring(cacheOf, workspace, 1);
  await expect(
    cacheOf(1).checkOut(repository, '1'.repeat(40), join(tempDir(), 'tree')),
  ).rejects.toMatchObject({ fault: { code: 'runner-cache' } });
  expect(await cacheOf(2).commits(repository)).toEqual([git(workspace, 'rev-parse', 'HEAD')]);
});

test('a damaged copy is removed, and the next try makes a whole one', async () => {
  const { workspace } = repositoryWithTask();
  const { directory, cacheOf } = machine();
  await bring(cacheOf, workspace, 1);
  rmSync(join(directory, `${repository}.git`, 'objects'), { recursive: true });
  mkdirSync(join(directory, `${repository}.git`, 'objects'));
  const base = git(workspace, 'rev-parse', 'HEAD');
  await expect(cacheOf(1).checkOut(repository, base, join(tempDir(), 'tree'))).rejects.toMatchObject({
    fault: { code: 'runner-cache' },
  });
  const { root } = await bring(cacheOf, workspace, 2);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('first\n');
});

test('copies keep within a bound: the least recently used goes, one in use and one with late work stay', async () => {
  const { workspace } = repositoryWithTask();
  const { directory, cacheOf } = machine();
  const cache = cacheOf(1);
  const names = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(32));
  const base = git(workspace, 'rev-parse', 'HEAD');
  const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
  for (const [index, name] of names.entries()) {
    await cache.commits(name);
    const file = await cache.uploadFile(name, 'x');
    execFileSync('git', ['bundle', 'create', '--quiet', file, 'HEAD'], { cwd: workspace });
    await cache.take(name, file);
    const at = hoursAgo(10 - index);
    utimesSync(join(directory, `${name}.git`, 'ralph-used'), at, at);
  }
  const [first = '', second = '', third = '', last = ''] = names;
  execFileSync('git', ['update-ref', 'refs/late/x', base], { cwd: join(directory, `${second}.git`) });
  mkdirSync(join(directory, 'x.git.new-12'));
  utimesSync(join(directory, 'x.git.new-12'), hoursAgo(30), hoursAgo(30));
  const left = (): readonly string[] => readdirSync(directory).sort();
  await cache.trim({ inUse: new Set(), now: Date.now(), mostBytes: 1_000_000_000 });
  expect(left()).toEqual(names.map((name) => `${name}.git`));
  await cache.trim({ inUse: new Set([first]), now: Date.now(), mostBytes: 0 });
  expect(left()).toEqual([`${first}.git`, `${second}.git`]);
  expect([third, last].every((name) => !left().includes(`${name}.git`))).toBe(true);
  await cache.commits(first);
  await cache.trim({ inUse: new Set(), now: Date.now(), mostBytes: 0 });
  // It was asked for a moment ago: its work tree is about to come.
  expect(left()).toContain(`${first}.git`);
});
