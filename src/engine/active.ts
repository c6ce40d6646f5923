import type { Brief, Worker } from '../agents/port.ts';
import type { Cancel } from '../base/clock.ts';
import type { StopReason } from './invocation-facts.ts';
import type { AttemptLog } from './logs.ts';

/** One invocation that works in this process. */
export interface Active {
  readonly brief: Brief;
  readonly log: AttemptLog;
  worker: Worker | null;
  stop: StopReason | null;
  /** Its work is done, and the files it made are being written. */
  ending: Promise<unknown> | null;
  /** Its end is recorded: whatever comes later is dropped. */
  over: boolean;
  /** Where the log stood when the command under way began. */
  from: number;
  /** `monotonic` of the last sign of life. */
  alive: number;
  stall: Cancel | null;
}
