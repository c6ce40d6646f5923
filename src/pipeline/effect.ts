import type { Brief } from '../agents/port.ts';
import type { ChangesStep } from './changes/changes-state.ts';
import type { FlowStep } from './modes/flow/flow-state.ts';

/**
 * Work for the engine, as imperatives. Performed in order, after their events are recorded:
 * on disk, or for an agent's call with the operating system.
 */
export type Effect =
  /** Runs the role's procedure on its backend; ends in `invocation.ended|failed|paused|interrupted`. */
  | { readonly type: 'invoke-agent'; readonly brief: Brief; readonly backend: string }
  | {
      readonly type: 'stop-invocation';
      readonly invocation: string;
      readonly reason: 'cancel' | 'timeout' | 'stall' | 'retry' | 'quit';
    }
  /** Stops every invocation and verifies the stop. Ends in `processes.stopped`. */
  | { readonly type: 'stop-everything'; readonly reason: 'abort' | 'quit' }
  /**
   * Ends in `timer.fired`. An instant in the past fires at once; arming again moves it. Names: `retry:<slot>`,
   * `quota`, `gate:<gate>`, `wip:<invocation>`, `limit:max_duration`, `loop:max_runtime`, `loop:grace`, `flow:poll`. The
   * engine arms `stall:<invocation>` itself, because only it sees output; that timer also commits `timer.fired`.
   */
  | { readonly type: 'arm-timer'; readonly timer: string; readonly at_ms: number }
  | { readonly type: 'disarm-timer'; readonly timer: string }
  /** Writes `progress.md`, `metadata.yaml`, `iterations/<N>/metadata.yaml`. The engine coalesces writes; `now` does not wait. */
  | { readonly type: 'write-snapshots'; readonly now: boolean }
  /** Adopts the edit of a session file that was put back and that a person now claims. */
  | { readonly type: 'take-edit'; readonly request: string }
  | { readonly type: 'prepare-iteration'; readonly iteration: number }
  /** Archives signals that no consumer can take any more (src/signals/README.md rules 5 and 9). */
  | {
      readonly type: 'sweep-signals';
      readonly why: 'session-start' | 'session-end' | 'gate-closed' | 'task-settled';
      readonly task?: string;
      readonly reason: string;
      /** Only signals that the journal already knew: a crash may have come between the end and its sweep. */
      readonly known?: boolean;
      /** Of messages, only those that name their iteration. */
      readonly named?: boolean;
    }
  /** Looks at the workspace after a turn of a loop. Ends in `turn.observed`. */
  | { readonly type: 'observe-turn'; readonly turn: number }
  /** Looks for unprocessed feedback of the next iteration. Always ends in `feedback.found`, with no directories when there is none. */
  | { readonly type: 'look-for-feedback'; readonly iteration: number }
  /** Git's part of a merge, of taking one back, or of the end. Ends in the fact that clears `changes.step`. */
  | { readonly type: 'take-changes-step'; readonly step: ChangesStep }
  /** Works on the tracker, on documents and on branches for mode `flow`. Ends in the fact that clears `flow.step`. */
  | { readonly type: 'take-flow-step'; readonly step: FlowStep }
  /** Removes the worktrees of a done task. Its snapshots stay. */
  | { readonly type: 'remove-worktrees'; readonly task: string }
  /** Removes the session's own worktree. Its branch stays. */
  | { readonly type: 'close-changes' }
  /** Closes the engine; `settled()` resolves. */
  | { readonly type: 'stop-session' };
