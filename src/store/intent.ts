import type { Signal } from '../signals/signal.ts';
import type { TrustedIntent } from './setting-out.ts';
import type { ViewerPort } from './viewer-port.ts';

/**
 * What a key asks the outside to do, as plain data; the cli performs it (`IntentPort`). Steering is always a signal file: the
 * screen changes the run in no other way (architecture.md, invariant 6).
 */
export type Intent =
  | { readonly type: 'publish'; readonly signal: Signal }
  | { readonly type: 'withdraw'; readonly id: string }
  /** Withdraws a pending signal and publishes another in its place; nothing is published when the race is lost. */
  | { readonly type: 'replace'; readonly id: string; readonly signal: Signal }
  | { readonly type: 'quit'; readonly how: QuitChoice }
  | TravelIntent;

/** What turns the screen to another session, or to another host of this one. */
export type TravelIntent =
  | TrustedIntent
  /** Looks at what could be started, and opens the start screen. */
  | { readonly type: 'offer' }
  /** Opens the session picker. */
  | { readonly type: 'sessions' }
  | { readonly type: 'show'; readonly workspace: string; readonly session: string };

/** `leave`: the engine goes on without this screen · `pause`: agents stopped, attempts go on later · `abort`: publish ABORT, wait, go. */
export type QuitChoice = 'leave' | 'pause' | 'abort' | 'close';

/** How intents reach the world. Answers one sentence about what was done ("sent: PAUSE"), never about what came of it. */
export interface IntentPort {
  perform(intent: Intent): Promise<string | null>;
  /** Logs, reports and differences, a piece at a time. */
  readonly viewer: ViewerPort;
  /** The text of a staged knowledge file for the gate's preview, or `null` when it cannot be read. */
  preview(file: string): Promise<string | null>;
}
