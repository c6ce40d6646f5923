import type { Brief } from '../agents/port.ts';

/** What the engine has to do, imperatives; performed in order after the events that asked for them are recorded: on disk, or for an agent's call with the operating system. */
export type Effect =
  /** Runs the role's procedure on its backend; ends in `invocation.ended|failed|paused|interrupted`. */
  | { readonly type: 'invoke-agent'; readonly brief: Brief; readonly backend: string }
  | {
      readonly type: 'stop-invocation';
      readonly invocation: string;
      readonly reason: 'cancel' | 'timeout' | 'stall' | 'retry';
    }
  /** Stops every invocation and verifies: ends in `processes.stopped`. */
  | { readonly type: 'stop-everything'; readonly reason: 'abort' | 'quit' }
  /**
   * Ends in `timer.fired`; an instant in the past fires at once, and arming again moves it. Names: `retry:<slot>`, `quota`, `gate:<gate>`,
   * `wip:<invocation>`, `limit:max_duration`. `stall:<invocation>` is the engine's own: only it sees output; it commits the same `timer.fired`.
   */
  | { readonly type: 'arm-timer'; readonly timer: string; readonly at_ms: number }
  | { readonly type: 'disarm-timer'; readonly timer: string }
  /** `progress.md`, `metadata.yaml`, `iterations/<N>/metadata.yaml`; the engine coalesces them, `now` does not wait. */
  | { readonly type: 'write-snapshots'; readonly now: boolean }
  | { readonly type: 'prepare-iteration'; readonly iteration: number }
  /** Archives what can no longer reach anybody (signals.md rules 5 and 9). */
  | {
      readonly type: 'sweep-signals';
      readonly why: 'session-end' | 'gate-closed' | 'task-settled';
      readonly task?: string;
      readonly reason: string;
      /** Only what stood in the journal before: a crash may have come between the end and its sweep. */
      readonly known?: boolean;
    }
  /** Looks for unprocessed feedback of the next iteration: always ends in `feedback.found`, with no directories when there is none. */
  | { readonly type: 'look-for-feedback'; readonly iteration: number }
  /** The engine closes; `settled()` resolves. */
  | { readonly type: 'stop-session' };
