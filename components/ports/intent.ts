import type { IssueId } from '../../src/issues/issue.ts';
import type { IssueState } from '../../src/issues/state.ts';
import type { FormSubject } from '../../src/session/form-subject.ts';
import type { Answers } from '../../src/session/forms/question.ts';
import type { Signal } from '../../src/signals/signal.ts';
import type { TaskCommands } from '../../src/tasks/commands.ts';
import type { IssuesPort } from './issues-port.ts';
import type { TrustedIntent } from './start-intent.ts';
import type { ViewerPort } from './viewer-port.ts';

/**
 * A key's request to the outside, as plain data. The cli performs it (`IntentPort`). Steering is always a signal file: the
 * screen changes the run in no other way (src/README.md, invariant 6).
 */
export type Intent =
  /** `commands`: written into the file of the signal's task first. */
  | { readonly type: 'publish'; readonly signal: Signal; readonly commands?: TaskCommands }
  | { readonly type: 'withdraw'; readonly id: string }
  /** Confirms that a person stands behind a file in the mailbox: then it counts (src/signals/README.md, rule 13). */
  | { readonly type: 'confirm'; readonly id: string }
  /** Withdraws a pending signal and publishes another in its place. Publishes nothing if the signal was read first. */
  | { readonly type: 'replace'; readonly id: string; readonly signal: Signal }
  /** Answers an agent's permission request. The answer goes to the engine in this program, not through a file. */
  | {
      readonly type: 'permit';
      readonly request: string;
      readonly decision: 'once' | 'session' | 'no';
      readonly why?: string;
    }
  /** Takes a task's changes back, or brings them again; by a signal while the session runs. `attempt: null`: all of them. */
  | {
      readonly type: 'take-back';
      readonly way: 'undo' | 'redo';
      readonly task: string;
      readonly attempt: number | null;
    }
  /** Takes back what was allowed for this session: it is asked about again. */
  | { readonly type: 'revoke' }
  | { readonly type: 'quit'; readonly how: QuitChoice }
  | IssueIntent
  | TravelIntent;

/** Moves an issue of the tracker for the person at this screen. `breaksLock`: also while a session holds it. */
export interface IssueIntent {
  readonly type: 'move-issue';
  readonly issue: IssueId;
  readonly state: IssueState;
  readonly breaksLock: boolean;
}

/** Shows another session, or changes the host of this one. */
export type TravelIntent =
  | TrustedIntent
  /** Looks for things to start and opens the start screen. */
  | { readonly type: 'offer' }
  /** Scans the workspace and opens the form for guidance. */
  | { readonly type: 'guide' }
  /** Opens the questions of `init`. */
  | { readonly type: 'set-up' }
  /** Saves what these answers come to, and closes the form when that succeeded. */
  | { readonly type: 'filled-in'; readonly form: FormSubject; readonly answers: Answers }
  /** The answer to the open question of the conversation on this screen. */
  | { readonly type: 'talk-answered'; readonly question: string; readonly answer: string }
  /** The person leaves the conversation; it is kept. */
  | { readonly type: 'talk-left' }
  /** Counts all sessions of the workspace, and shows the numbers. */
  | { readonly type: 'statistics' }
  /** Tries what can fail late in the plan at its gate. `agreed`: the commands that the person has read; without them, asks. */
  | { readonly type: 'rehearse'; readonly agreed?: readonly string[] }
  | ServeIntent
  /** Opens the session picker. */
  | { readonly type: 'sessions' }
  | { readonly type: 'show'; readonly workspace: string; readonly session: string };

/** Shows the running `serve` of the workspace, after a new code or without the device. */
export interface ServeIntent {
  readonly type: 'serve';
  readonly ask: 'look' | 'code' | 'revoke';
  /** Its id. */
  readonly device?: string;
}

/** `leave`: the engine continues without this screen · `pause`: agents stop, attempts continue later · `abort`: publish ABORT, wait, leave. */
export type QuitChoice = 'leave' | 'pause' | 'abort' | 'close';

/** Performs intents. Resolves to one sentence about the action ("sent: PAUSE"), never about its effect. Rejects when the action failed. */
export interface IntentPort {
  perform(intent: Intent): Promise<string | null>;
  /** Logs, reports and diffs, a piece at a time. */
  readonly viewer: ViewerPort;
  /** The tracker of the workspace. */
  readonly issues: IssuesPort;
  /** The text of a staged knowledge file for the gate's preview, or `null` when it cannot be read. */
  preview(file: string): Promise<string | null>;
}
