import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { createRandom } from '../../src/base/random.io.ts';
import { createGit } from '../../src/changes/git/git.io.ts';
import { createCache } from '../../src/runners/repository/cache.ts';
import { createSimulatedCarrier } from '../helpers/simulated-carrier.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { obedient } from './obedient.ts';
import {
  briefIn,
  createManualClock,
  git,
  hostOf,
  pumped,
  recordingHost,
  repositoryWithTask,
  serveIn,
} from './remote-session.ts';

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

/** What a crash or a bad disk does to a copy. */
const damages: Readonly<Record<string, (copy: string) => void>> = {
  'its objects are gone': (copy) => {
    rmSync(join(copy, 'objects'), { recursive: true });
    mkdirSync(join(copy, 'objects'));
  },
  'its HEAD is empty': (copy) => writeFileSync(join(copy, 'HEAD'), ''),
  'the files of its commits are garbled': (copy) => {
    for (const file of objectsIn(copy)) {
      chmodSync(file, 0o600);
      const bytes = readFileSync(file);
      writeFileSync(file, bytes.fill(0x5a, Math.min(60, bytes.length >> 1)));
    }
  },
  'a ref names a commit that it lacks': (copy) =>
    writeFileSync(join(copy, 'refs/bases', '1'.repeat(40)), `${'1'.repeat(40)}\n`),
};

const objectsIn = (copy: string): readonly string[] =>
  readdirSync(join(copy, 'objects'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.idx') && !entry.name.endsWith('.rev'))
    .map(({ parentPath, name }) => join(parentPath, name));

test.each(Object.keys(damages))(
  'a damaged copy is replaced within the same call, and what it keeps for others stays: %s',
  async (damage) => {
    const clock = createManualClock();
    const directory = tempDir();
    const there = serveIn(clock, directory, [obedient]);
    const { place } = hostOf(
      clock,
      createSimulatedCarrier(clock, () => 0.5, there.attach),
    );
    const { workspace } = repositoryWithTask();
    const { host, boundary } = recordingHost();
    const work = async (invocation: string): Promise<void> => {
      const worker = place(obedient).start(briefIn(workspace, invocation), host);
      const ask = { kind: 'implement', prompt: `file ${invocation}.txt`, messages: [] };
      const result = await pumped(clock, worker.turn(ask, boundary));
      expect(result).toMatchObject({ kind: 'answered' });
      await pumped(clock, worker.end?.() ?? Promise.resolve());
    };
    await work('Executor-1');
    const [name = ''] = readdirSync(join(directory, 'repositories'));
    const copy = join(directory, 'repositories', name);
    git(copy, 'update-ref', 'refs/late/x', git(copy, 'for-each-ref', '--format=%(objectname)', 'refs/bases'));
    damages[damage]?.(copy);
    await work('Executor-2');
    expect(git(workspace, 'status', '--porcelain')).toBe('?? Executor-1.txt\n?? Executor-2.txt');
    expect(readdirSync(join(copy, 'refs/late'))).toEqual(['x']);
  },
);

test('a bundle that needs commits which the copy has lost meanwhile is asked for again', async () => {
  const { workspace } = repositoryWithTask();
  const { cacheOf, directory } = machine();
  const cache = cacheOf(1);
  const file = await cache.uploadFile(repository, 'x');
  git(workspace, 'commit', '--quiet', '--allow-empty', '-m', 'second');
  execFileSync('git', ['bundle', 'create', '--quiet', file, 'HEAD', '^HEAD~1'], { cwd: workspace });
  await expect(cache.take(repository, file)).rejects.toMatchObject({ fault: { code: 'runner-cache' } });
  // Nothing was wrong with the copy itself.
  expect(readdirSync(directory)).toEqual([`${repository}.git`]);
});

test('a replaced copy goes once nothing borrows from it and its late work was taken', async () => {
  const { workspace } = repositoryWithTask();
  const { directory, cacheOf } = machine();
  const cache = cacheOf(1);
  const { root, gitDir } = await bring(cacheOf, workspace, 1);
  const base = git(workspace, 'rev-parse', 'HEAD');
  writeFileSync(join(root, 'late.txt'), 'late\n');
  const commit = await cache.pack({ root, gitDir }, base, join(tempDir(), 'bundle'));
  await cache.keep(repository, { root, gitDir }, commit ?? '', 's/Executor-1');
  damages['a ref names a commit that it lacks']?.(join(directory, `${repository}.git`));
  expect(await cache.commits(repository)).toEqual([]);
  const trim = async (inUse: readonly string[]): Promise<readonly string[]> => {
    const now = Date.now() + 7_200_000;
    await cache.trim({ inUse: new Set(inUse), now, mostBytes: 1_000_000_000 });
    return readdirSync(directory).sort();
  };
  const both = [`${repository}.2.git`, `${repository}.git`];
  expect(await trim([])).toEqual(both);
  const bundle = join(tempDir(), 'late.bundle');
  await cache.packKept(repository, 's/Executor-1', base, bundle);
  expect(git(workspace, 'bundle', 'list-heads', bundle)).toContain('refs/late/s/Executor-1');
  await cache.forget(repository, 's/Executor-1');
  expect(await trim([repository])).toEqual(both);
  expect(await trim([])).toEqual([`${repository}.2.git`]);
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
