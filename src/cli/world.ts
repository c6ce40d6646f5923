import { createClock } from '../base/clock.io.ts';
import type { Clock } from '../base/clock.ts';
import { createDisk } from '../base/disk.io.ts';
import type { Disk } from '../base/disk.ts';
import { createSpawn } from '../base/process/spawn.io.ts';
import type { Spawn } from '../base/process/spawn.ts';
import { createRandom } from '../base/random.io.ts';
import type { Random } from '../base/random.ts';
import type { Redact } from '../base/redact.ts';
import { createSecrets, type Secrets, secretsOf } from './secrets.ts';

/** The real ports, one of each. */
export interface World {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly random: Random;
  readonly spawn: Spawn;
  /** Secret values from this program's environment and configuration, never to be written or shown. */
  readonly secrets: readonly string[];
  readonly redact: Redact;
  /** Adds the secrets of a configuration. */
  readonly learn: Secrets['learn'];
}

export const createWorld = (): World => {
  const secrets = createSecrets(secretsOf(process.env));
  return {
    disk: createDisk(),
    clock: createClock(),
    random: createRandom(),
    spawn: createSpawn(),
    get secrets() {
      return secrets.values();
    },
    redact: secrets.redact,
    learn: secrets.learn,
  };
};
