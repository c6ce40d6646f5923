import type { Brief, Worker } from '../../agents/port.ts';
import type { Cancel } from '../../base/clock.ts';
import type { CheckpointId } from '../../signals/checkpoints.ts';
import type { StopReason } from './invocation-facts.ts';
import type { AttemptLog } from './logs.ts';

/** One invocation that runs in this process. */
export interface Active {
  readonly brief: Brief;
  readonly log: AttemptLog;
  worker: Worker | null;
  stop: StopReason | null;
  /** Set when its work is done and its files are being written. */
  ending: Promise<unknown> | null;
  /** True when its end is recorded; later events are dropped. */
  over: boolean;
  /** Position in the log where the current command began. */
  from: number;
  /** `monotonic` of the last sign of life. */
  alive: number;
  stall: Cancel | null;
  /** The checkpoint that the current turn passes; `null` between turns. */
  boundary: CheckpointId | null;
  /** The last request for permission, if it was refused: some agents end their turn there. */
  refused: string | null;
  /** Aborted when the invocation is stopped or over, so that nothing waits on its behalf. */
  readonly ends: AbortController;
}
