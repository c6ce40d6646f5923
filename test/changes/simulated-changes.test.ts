import type { Clock } from '../../src/base/clock.ts';
import { firstFiles, value } from '../helpers/changes.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';
import { createSimulatedGit } from '../helpers/simulated-git.ts';
import { createSimulatedChanges } from '../helpers/simulated-session-changes.ts';
import { changesConform } from './changes-conformance.ts';

/** No time passes: nothing here depends on it. */
const clock: Clock = {
  ...createManualClock(),
  after: (_, run) => {
    queueMicrotask(run);
    return () => {};
  },
};

const opening = {
  workspace: '/work',
  session: '261122-101500',
  copy: [],
  patches: '/patches',
  secrets: [],
};

const makeWorld = () => {
  const disk = createSimulatedDisk();
  const git = createSimulatedGit(new Map(Object.entries(firstFiles)));
  const read = (directory: string, path: string): string | null => {
    const file = `${directory}/${path}`;
    return disk.lstat(file) === null ? null : disk.text(file);
  };
  const write = (directory: string, files: Readonly<Record<string, string | null>>): void => {
    for (const [path, text] of Object.entries(files)) {
      const file = `${directory}/${path}`;
      disk.mkdir(file.slice(0, file.lastIndexOf('/')));
      if (text === null) disk.drop(file);
      else disk.put(file, text);
    }
  };
  write('/work', firstFiles);
  return {
    open: async (isolation: 'worktree' | 'shared' = 'worktree') => {
      const port = createSimulatedChanges(
        { disk, clock, git, random: createSeededRandom(1) },
        opening.session,
      );
      return value(await port.open({ ...opening, isolation }));
    },
    write,
    read,
    workspace: '/work',
  };
};

changesConform(makeWorld, { isCheap: true });
