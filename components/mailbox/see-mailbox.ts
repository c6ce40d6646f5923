import { unreadLife } from '../../src/pipeline/evolve/signals.ts';
import type { SessionState, SignalLife } from '../../src/pipeline/state.ts';
import type { Signal } from '../../src/signals/signal.ts';
import type { ViewState } from '../view.ts';

/** A signal in the mailbox, as far as a screen needs it. */
interface WaitingSignal {
  readonly id: string;
  readonly file: string;
  readonly signal: Signal;
}

/** The result of a look into the mailbox. */
export interface SeenMailbox {
  readonly pending: readonly WaitingSignal[];
  /** Who withdrew a signal and when, by its id. */
  readonly withdrawn: ReadonlyMap<string, { readonly by: string; readonly at: string }>;
}

/**
 * Adds the signals of a session without a host. No program journals what was sent or withdrawn meanwhile. As soon as one hosts the session,
 * the journal is the source again.
 */
export const seeMailbox = (view: ViewState, seen: SeenMailbox): ViewState => {
  const { session, connection } = view;
  if (session === null || connection !== 'stopped') return view;
  const signals = new Map(session.signals);
  const pendingIds = new Set(seen.pending.map(({ id }) => id));
  for (const waiting of seen.pending) {
    const known = signals.get(waiting.id);
    if (known === undefined || known.stage === 'pending')
      signals.set(waiting.id, { ...(known ?? unread(waiting, session)), waitsFor: whenResumed });
  }
  for (const [id, life] of session.signals) {
    const end = seen.withdrawn.get(id);
    if (life.stage === 'pending' && !pendingIds.has(id) && end !== undefined)
      signals.set(id, {
        ...life,
        stage: 'withdrawn',
        // Another program may have written anything into the archived file.
        since: Number.isNaN(Date.parse(end.at)) ? life.since : end.at,
        handledBy: end.by,
        waitsFor: null,
        unproven: false,
        queued: false,
      });
  }
  return { ...view, session: { ...session, signals } };
};

/** The state of a signal sent to a session without a host. */
export const whenResumed = 'read when the session is resumed';

const unread = ({ id, file, signal }: WaitingSignal, session: SessionState): SignalLife => ({
  ...unreadLife({ id, file, signal, at: signal.created_at ?? session.at }),
  waitsFor: whenResumed,
});
