import { checkpointsOf } from '../signals/checkpoints.ts';
import type { RoutingContext } from '../signals/mailbox.ts';
import { route } from '../signals/routing.ts';
import type { Agent, Letter } from '../signals/signal.ts';
import type { OpenSession } from './open-session.ts';
import { graphOf } from './status-report.ts';

export interface Pollable {
  readonly letter: Letter;
  readonly whole: boolean;
}

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
  const context = contextOf(session);
  const consumer = { agent, invocation: 'signals-poll', task };
  return letters.flatMap((letter): readonly Pollable[] => {
    const kinds = checkpointsOf(agent).map(({ id }) => route(letter, consumer, id, context).kind);
    if (kinds.includes('take')) return [{ letter, whole: true }];
    return kinds.includes('share') ? [{ letter, whole: false }] : [];
  });
};

const contextOf = ({ state }: OpenSession): RoutingContext => ({
  iteration: state.iteration,
  state: state.state,
  held: state.hold !== null,
  gateOpen: state.gate !== null,
  running: [...state.invocations.values()]
    .filter((each) => each.stage === 'running')
    .map((each) => ({ agent: each.role, invocation: each.id, task: each.task })),
  settled: [...graphOf(state).standing.settled],
});
