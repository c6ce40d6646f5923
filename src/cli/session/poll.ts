import { whenResumed } from '../../../components/mailbox/see-mailbox.ts';
import { routingContext } from '../../engine/mailbox/routing-context.ts';
import { checkpointsOf } from '../../signals/checkpoints.ts';
import type { MailboxEntry } from '../../signals/mailbox.ts';
import { route, waitsFor } from '../../signals/routing.ts';
import type { Agent, PendingSignal } from '../../signals/signal.ts';
import type { OpenSession } from './open-session.ts';

export interface Pollable {
  readonly pendingSignal: PendingSignal;
  readonly whole: boolean;
}

/**
 * Where and when a pending signal will be read. The host journals this for signals it has seen, in a flood only
 * for the first ones.
 */
export const readNext = (
  { state, host, layout }: Pick<OpenSession, 'state' | 'host' | 'layout'>,
  { stage, id, file, signal }: MailboxEntry,
): string | null => {
  if (stage !== 'pending' || signal === null || !layout.ours) return null;
  if (!host?.alive) return whenResumed;
  return state.signals.get(id)?.waitsFor ?? waitsFor({ id, file, signal }, routingContext(state));
};

/**
 * The signals a consumer could take at one of its checkpoints, for agents that another program runs. `whole`:
 * this consumer alone may claim it. A broadcast is only shown, because each recipient has its own part
 * (src/signals/README.md, rule 8).
 */
export const signalsFor = (
  session: OpenSession,
  pendingSignals: readonly PendingSignal[],
  agent: Agent,
  task: string | null,
): readonly Pollable[] => {
  const context = routingContext(session.state);
  const consumer = { agent, invocation: 'signals-poll', task };
  return pendingSignals.flatMap((pendingSignal): readonly Pollable[] => {
    const kinds = checkpointsOf(agent).map(({ id }) => route(pendingSignal, consumer, id, context).kind);
    if (kinds.includes('take')) return [{ pendingSignal, whole: true }];
    return kinds.includes('share') ? [{ pendingSignal, whole: false }] : [];
  });
};
