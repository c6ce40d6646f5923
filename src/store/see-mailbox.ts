import type { SessionState, SignalLife } from '../pipeline/state.ts';
import type { Signal } from '../signals/signal.ts';
import type { ViewState } from './view.ts';

/** A signal that lies in the mailbox, as far as a screen needs it. */
export interface WaitingSignal {
  readonly id: string;
  readonly file: string;
  readonly signal: Signal;
}

/** What a look into the mailbox found. */
export interface SeenMailbox {
  readonly pending: readonly WaitingSignal[];
  /** Who took a signal back and when, by its id. */
  readonly withdrawn: ReadonlyMap<string, { readonly by: string; readonly at: string }>;
}

/**
 * The signals of a session that nobody runs: no program is there to write into the journal what was sent or taken back meanwhile. As soon as one runs
 * it, the journal tells again.
 */
export const seeMailbox = (view: ViewState, seen: SeenMailbox): ViewState => {
  const { session, connection } = view;
  if (session === null || connection !== 'stopped') return view;
  const signals = new Map(session.signals);
  const lying = new Set(seen.pending.map(({ id }) => id));
  for (const letter of seen.pending) {
    const known = signals.get(letter.id);
    if (known === undefined || known.stage === 'pending')
      signals.set(letter.id, { ...(known ?? unread(letter, session)), waitsFor: whenResumed });
  }
  for (const [id, life] of session.signals) {
    const end = seen.withdrawn.get(id);
    if (life.stage === 'pending' && !lying.has(id) && end !== undefined)
      signals.set(id, {
        ...life,
        stage: 'withdrawn',
        // Other hands may have written anything into the archived file.
        since: Number.isNaN(Date.parse(end.at)) ? life.since : end.at,
        handledBy: end.by,
        waitsFor: null,
        queued: false,
      });
  }
  return { ...view, session: { ...session, signals } };
};

/** Where a signal stands that is sent to a session nobody runs. */
export const whenResumed = 'read when the session is resumed';

const unread = ({ id, file, signal }: WaitingSignal, session: SessionState): SignalLife => ({
  id,
  file,
  signal,
  stage: 'pending',
  since: signal.created_at ?? session.at,
  waitsFor: whenResumed,
  queued: false,
  checkpoint: null,
  handledBy: null,
  action: null,
  recipients: new Map(),
});
