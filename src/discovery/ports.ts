import type { Clock } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import type { Spawn } from '../base/process/spawn.ts';

/** Discovery's access to the outside world. */
export interface DiscoveryPorts {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly spawn: Spawn;
  /** This program's environment. Children get a part of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The place of a scan, for one source. */
export interface ScanPlace {
  /** The project directory, absolute and with links resolved. */
  readonly projectDir: string;
  /** `RALPH_RUN` of every process that this source starts, so that it can be found and stopped. */
  readonly marker: string;
  /** Aborts at this source's time limit. Start nothing after that. */
  readonly signal: AbortSignal;
}
