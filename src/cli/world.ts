import { createClock } from '../base/clock.io.ts';
import type { Clock } from '../base/clock.ts';
import { createDisk } from '../base/disk.io.ts';
import type { Disk } from '../base/disk.ts';
import { createRandom } from '../base/random.io.ts';
import type { Random } from '../base/random.ts';
import { createSpawn } from '../base/spawn.io.ts';
import type { Spawn } from '../base/spawn.ts';

/** The real outside, one of each. */
export interface World {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly random: Random;
  readonly spawn: Spawn;
}

export const createWorld = (): World => ({
  disk: createDisk(),
  clock: createClock(),
  random: createRandom(),
  spawn: createSpawn(),
});
