import { authorOf } from '../../engine/mailbox/reaction.ts';
import { isMessage } from '../../signals/kinds.ts';
import { peekRested } from '../../signals/mailbox/peek-all.ts';
import type { Mailbox } from '../../signals/mailbox.ts';
import type { Agent, PendingSignal } from '../../signals/signal.ts';
import { failure } from '../cli.ts';
import type { OpenSession } from '../session/open-session.ts';
import { type Pollable, signalsFor } from '../session/poll.ts';

/** What keeps an agent from continuing. */
export interface Standstill {
  readonly kind: 'held' | 'aborted';
  /** "kim paused it", as far as it is known. */
  readonly why: string;
}

/** What waits in the mailbox for one agent of another program. */
interface Waiting {
  readonly standstill: Standstill | null;
  /** STEER and INFO, in the order in which they are to be read. */
  readonly messages: readonly Pollable[];
}

/** Looks into the mailbox of a session; claims nothing. An unread PAUSE or ABORT counts already. */
export const lookForMail = async (
  session: OpenSession,
  mailbox: Pick<Mailbox, 'peek'>,
  agent: Agent,
  task: string | null,
): Promise<Waiting> => {
  const { pendingSignals, problem } = await peekRested(mailbox, session.world.clock);
  if (problem) throw failure(problem);
  return {
    standstill: standstillOf(session, pendingSignals),
    messages: signalsFor(session, pendingSignals, agent, task).filter(({ pendingSignal: { signal } }) =>
      isMessage(signal.type),
    ),
  };
};

const standstillOf = (
  { state }: Pick<OpenSession, 'state'>,
  pendingSignals: readonly PendingSignal[],
): Standstill | null => {
  const unread = (type: string): PendingSignal | undefined =>
    pendingSignals.find(({ signal }) => signal.type === type);
  const abort = unread('ABORT');
  if (abort) return { kind: 'aborted', why: `${authorOf(abort)} sent ABORT` };
  if (state.status === 'aborted') return { kind: 'aborted', why: 'it was aborted' };
  const pause = unread('PAUSE');
  if (pause) return { kind: 'held', why: `${authorOf(pause)} sent PAUSE` };
  if (state.hold === null) return null;
  const { by, message } = state.hold;
  return { kind: 'held', why: `${by} paused it${message === null ? '' : `: ${message}`}` };
};
