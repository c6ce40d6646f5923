import { expect, test } from 'vitest';
import type { Artifact } from '../../src/agents/port.ts';
import { writeArtifacts } from '../../src/engine/artifacts.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { createSimulatedDisk, SimulatedCrash } from '../helpers/simulated-disk.ts';

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

/** How often a staged file says it is promoted while its document is missing, over all stops and many power losses; and whether others see leftovers. */
const lossesOf = (ignoreFlush: boolean): number => {
  let losses = 0;
  for (let seed = 0; seed < 40; seed += 1)
    for (let at = 1; ; at += 1) {
      const random = createSeededRandom(seed * 100 + at);
      const disk = begin(ignoreFlush);
      disk.crashAfter(at);
      let crashed = false;
      try {
        writeArtifacts({ disk, random, paths }, promotion);
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

test('no staged file says that it is promoted when a power loss took its document, and nothing half written lies among the documents', () => {
  expect(lossesOf(false)).toBe(0);
});

test('on a disk that does not flush the same power losses are found', () => {
  expect(lossesOf(true)).toBeGreaterThan(0);
});
