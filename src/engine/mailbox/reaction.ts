import type { InvocationId } from '../../agents/port.ts';
import type { EventBody } from '../../pipeline/event.ts';
import type { SessionState } from '../../pipeline/state.ts';
import type { PendingSignal } from '../../signals/signal.ts';

/** The reaction to a session-level signal: the facts it causes, or the reason why it cannot be used. */
export type Reaction =
  /**
   * `action` is the archive's text, computed from the state after the facts. `stops`: invocations that the facts stop; the archive waits for their end
   * and says how it went.
   */
  | {
      readonly kind: 'done';
      readonly facts: readonly EventBody[];
      readonly action: (after: SessionState) => string;
      readonly stops: readonly InvocationId[];
    }
  /** ABORT is archived when its processes are stopped and verified; the archive reports the result. */
  | { readonly kind: 'until-stopped'; readonly facts: readonly EventBody[] }
  /** UNDO and REDO are archived when git has done it, with the outcome. */
  | { readonly kind: 'until-turned'; readonly facts: readonly EventBody[] }
  | { readonly kind: 'refused'; readonly reason: string };

/** Pure: the caller commits. */
export type Act = (pendingSignal: PendingSignal, state: SessionState) => Reaction;

/** The sender, as far as the file names one. */
export const authorOf = (pendingSignal: PendingSignal): string =>
  pendingSignal.signal.from ?? 'a signal file';

/** Acted on; `action` may depend on the state after the facts. */
export const done = (
  facts: readonly EventBody[],
  action: string | ((after: SessionState) => string),
  stops: readonly InvocationId[] = [],
): Reaction => ({
  kind: 'done',
  facts,
  action: typeof action === 'string' ? () => action : action,
  stops,
});
/** It cannot be used: the file moves to `rejected/` with the reason. */
export const refused = (reason: string): Reaction => ({ kind: 'refused', reason });

/** The message, as an event field. */
export const messageOf = (pendingSignal: PendingSignal): { readonly message?: string } =>
  pendingSignal.signal.message === undefined ? {} : { message: pendingSignal.signal.message };

/** The event fields that name the signal behind a fact. */
export const cause = (pendingSignal: PendingSignal) => ({
  signal: pendingSignal.id,
  by: authorOf(pendingSignal),
  ...messageOf(pendingSignal),
});
