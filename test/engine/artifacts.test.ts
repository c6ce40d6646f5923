import { expect, test } from 'vitest';
import type { Artifact } from '../../src/agents/port.ts';
import { type ArtifactPorts, writeArtifacts, writeArtifactsAside } from '../../src/engine/artifacts.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { createSimulatedDisk, SimulatedCrash, type SimulatedDisk } from '../helpers/simulated-disk.ts';

const paths = sessionPaths('/work', '260215-101500');
const staged = `${paths.iteration(1).knowledge}/how-to/a.md`;
const promoted = (root: Artifact['root'], path: string): Artifact => ({
  root,
  path,
  text: 'promoted',
  write: 'replace',
});

/** As the Librarian gives them: each document, then its staged file. */
const promotion: readonly Artifact[] = [
  promoted('workspace', '.docs/how-to/a.md'),
  promoted('session', 'iterations/1/knowledge/how-to/a.md'),
  promoted('workspace', '.docs/index.md'),
];

const begin = (ignoreFlush: boolean) => {
  const disk = createSimulatedDisk({ ignoreFlush });
  disk.mkdir(`${paths.iteration(1).knowledge}/how-to`);
  disk.put(staged, 'staged');
  return disk;
};

type Write = (ports: ArtifactPorts, artifacts: readonly Artifact[]) => unknown;

const writeAside: Write = (ports, artifacts) => writeArtifactsAside(ports, artifacts, () => true);

/** How often a staged file says it is promoted while its document is missing, over all stops and many power losses; and whether others see leftovers. */
const lossesOf = async (write: Write, ignoreFlush: boolean): Promise<number> => {
  let losses = 0;
  for (let seed = 0; seed < 40; seed += 1)
    for (let at = 1; ; at += 1) {
      const random = createSeededRandom(seed * 100 + at);
      const disk = begin(ignoreFlush);
      disk.crashAfter(at);
      let crashed = false;
      try {
        await write({ disk, random, paths }, promotion);
      } catch (error) {
        if (!(error instanceof SimulatedCrash)) throw error;
        crashed = true;
      }
      const share = random.next();
      disk.loseUnflushed(() => random.chance(share));
      const saysSo = disk.lstat(staged) !== null && disk.text(staged) === 'promoted';
      if (saysSo && disk.lstat('/work/.docs/how-to/a.md') === null) losses += 1;
      expect(
        disk.tree('/').filter((path) => path.startsWith('/work/.docs') && path.includes('.tmp-')),
      ).toEqual([]);
      if (!crashed) break;
    }
  return losses;
};

test.each([
  ['at once', writeArtifacts],
  ['beside the thread', writeAside],
] as const)(
  'written %s, no staged file says that it is promoted when a power loss took its document, and nothing half written lies among the documents',
  async (_, write) => {
    expect(await lossesOf(write, false)).toBe(0);
    // On a disk that does not flush the same power losses are found.
    expect(await lossesOf(write, true)).toBeGreaterThan(0);
  },
);

const temporaries = (disk: SimulatedDisk): readonly string[] =>
  disk.tree('/').filter((path) => path.includes('.tmp-'));

test('who is not meant any more while its files are prepared leaves nothing behind', async () => {
  const disk = begin(false);
  const before = disk.tree('/');
  await writeArtifactsAside({ disk, random: createSeededRandom(1), paths }, promotion, () => false);
  expect(disk.tree('/')).toEqual(before);
  expect(disk.text(staged)).toBe('staged');
});

test('what is appended stands last: once after a crash in between, and again where something else was said since', () => {
  const disk = createSimulatedDisk();
  disk.mkdir(paths.directory);
  const say = (text: string) =>
    writeArtifacts({ disk, random: createSeededRandom(1), paths }, [
      { root: 'session', path: 'report.md', text: `${text}\n`, write: 'append' },
    ]);
  for (const verdict of ['Qualified', 'Qualified', 'Failed', 'Qualified']) say(verdict);
  expect(disk.text(`${paths.directory}/report.md`)).toBe('Qualified\nFailed\nQualified\n');
});

test('a file that a person changes while ours is prepared is appended to as it is then', async () => {
  const disk = begin(false);
  const report = `${paths.directory}/report.md`;
  disk.put(report, 'ours\n');
  const artifact: Artifact = { root: 'session', path: 'report.md', text: 'verdict\n', write: 'append' };
  await writeArtifactsAside({ disk, random: createSeededRandom(1), paths }, [artifact], () => {
    disk.put(report, 'theirs\n');
    return true;
  });
  expect(disk.text(report)).toBe('theirs\nverdict\n');
  expect(temporaries(disk)).toEqual([]);
});

test('two files of one text are both written', async () => {
  const disk = begin(false);
  const twin = (path: string): Artifact => ({ root: 'session', path, text: 'same', write: 'create' });
  await writeArtifactsAside(
    { disk, random: createSeededRandom(1), paths },
    [twin('a.md'), twin('b.md')],
    () => true,
  );
  expect([disk.text(`${paths.directory}/a.md`), disk.text(`${paths.directory}/b.md`)]).toEqual([
    'same',
    'same',
  ]);
  expect(temporaries(disk)).toEqual([]);
});

test('what a full disk refuses while it is prepared is said when its moment comes, and leaves nothing half written', async () => {
  const disk = begin(false);
  disk.setSpace(3);
  await expect(
    writeArtifactsAside({ disk, random: createSeededRandom(1), paths }, promotion, () => true),
  ).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(temporaries(disk)).toEqual([]);
  expect(disk.text(staged)).toBe('staged');
});

test.each(['create', 'replace', 'append'] as const)(
  'what a program wrote by %s before it died is on disk when the next one says that it is there',
  async (write) => {
    const artifact: Artifact = { root: 'session', path: 'report.md', text: 'verdict\n', write };
    const report = `${paths.directory}/report.md`;
    let stops = 0;
    for (let at = 1; ; at += 1) {
      const disk = begin(false);
      if (write !== 'create') disk.put(report, 'before\n');
      disk.crashAfter(at);
      let crashed = false;
      try {
        writeArtifacts({ disk, random: createSeededRandom(1), paths }, [artifact]);
      } catch (error) {
        if (!(error instanceof SimulatedCrash)) throw error;
        crashed = true;
      }
      disk.restart();
      await writeArtifactsAside({ disk, random: createSeededRandom(2), paths }, [artifact], () => true);
      disk.loseUnflushed(() => true);
      expect(disk.text(report)).toContain('verdict');
      if (!crashed) break;
      stops += 1;
    }
    expect(stops).toBeGreaterThan(3);
  },
);
