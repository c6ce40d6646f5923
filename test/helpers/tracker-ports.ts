import { createClock } from '../../src/base/clock.io.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { createRandom } from '../../src/base/random.io.ts';
import type { TrackerPorts } from '../../src/issues/trackers/tracker.ts';
import { tempDir } from './temp-dir.ts';

/** The real ports of a tracker in a scratch workspace. */
export const trackerPorts = (workspace: string = tempDir()): TrackerPorts => ({
  disk: createDisk(),
  clock: createClock(),
  random: createRandom(),
  workspace,
});
