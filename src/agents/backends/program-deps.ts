import type { Clock } from '../../base/clock.ts';
import type { Disk } from '../../base/disk.ts';
import type { Spawn } from '../../base/process/spawn.ts';
import type { Random } from '../../base/random.ts';
import type { Redact } from '../../base/redact.ts';

/** What a backend that starts programs itself needs of the world. */
export interface ProgramDeps {
  readonly disk: Disk;
  readonly spawn: Spawn;
  readonly clock: Clock;
  readonly random: Random;
  /** The environment of this program. Others inherit what `childEnvironment` passes. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Redacts secrets in text that stays: the record of a prompt, a commit message. A prompt itself is never redacted. */
  readonly redact?: Redact;
}
