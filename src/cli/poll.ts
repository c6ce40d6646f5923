import { routingContext } from '../engine/routing-context.ts';
import { checkpointsOf } from '../signals/checkpoints.ts';
import type { MailboxEntry } from '../signals/mailbox.ts';
import { route, waitsFor } from '../signals/routing.ts';
import type { Agent, Letter } from '../signals/signal.ts';
import { whenResumed } from '../store/see-mailbox.ts';
import type { OpenSession } from './open-session.ts';

export interface Pollable {
  readonly letter: Letter;
  readonly whole: boolean;
}

/** Where and when a pending signal will be read: whoever runs the session says it of those it has seen, and of a flood only of the first ones. */
export const readNext = (
  { state, host, layout }: Pick<OpenSession, 'state' | 'host' | 'layout'>,
  { stage, id, file, signal }: MailboxEntry,
): string | null => {
  if (stage !== 'pending' || signal === null || !layout.ours) return null;
  if (!host?.alive) return whenResumed;
  return state.signals.get(id)?.waitsFor ?? waitsFor({ id, file, signal }, routingContext(state));
};

/**
 * The letters a consumer could take at one of its checkpoints, for agents that another program runs. `whole`: it may be claimed by this consumer
 * alone; a broadcast is only shown, because each recipient has its part of it (signals.md, rule 8).
 */
export const signalsFor = (
  session: OpenSession,
  letters: readonly Letter[],
  agent: Agent,
  task: string | null,
): readonly Pollable[] => {
  const context = routingContext(session.state);
  const consumer = { agent, invocation: 'signals-poll', task };
  return letters.flatMap((letter): readonly Pollable[] => {
    const kinds = checkpointsOf(agent).map(({ id }) => route(letter, consumer, id, context).kind);
    if (kinds.includes('take')) return [{ letter, whole: true }];
    return kinds.includes('share') ? [{ letter, whole: false }] : [];
  });
};
