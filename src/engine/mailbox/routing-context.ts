import { nowWords, reachWords } from '../../agents/reach-words.ts';
import { isLimitHold } from '../../pipeline/evolve/session.ts';
import { isForPerson } from '../../pipeline/questions/for-person.ts';
import type { Invocation, SessionState } from '../../pipeline/state.ts';
import { waitingTimers } from '../../pipeline/waiting-timers.ts';
import { standingOf } from '../../pipeline/waves.ts';
import { isComplete } from '../../session/status.ts';
import type { RoutingContext } from '../../signals/mailbox.ts';

/**
 * The part of the state that routing reads, the same for every program that polls. Computes
 * whether a task will run again only when a signal names one.
 */
export const routingContext = (state: SessionState): RoutingContext => ({
  iteration: state.iteration,
  state: state.state,
  isForEnded: (id) => (state.openedAgain ? state.signals.get(id)?.isSetAside === true : isComplete(state)),
  held: state.hold !== null,
  waitsForTime: waitingTimers(state).length > 0,
  cameBefore: (id) => {
    const since = state.signals.get(id)?.since;
    return state.hold !== null && since !== undefined && since <= state.hold.since;
  },
  gateOpen: state.gate?.gate === 'knowledge',
  heldByPerson: isHeldByPerson(state),
  isForPerson: (request) => isForPerson(state, request),
  running: [...state.invocations.values()]
    .filter(({ stage }) => stage === 'running' || stage === 'paused')
    .map(({ id, role, mode, task, worker, agent }) => ({
      ...{ agent: role, invocation: id, mode, task, worker },
      ...gets(agent),
    })),
  left: [...(state.flow?.workers.values() ?? [])].flatMap(({ name, left }) => (left === null ? [] : [name])),
  get settled() {
    return [...standingOf(state).settled];
  },
});

/** A hold that an unproven file asked for binds nobody, and one of a limit ends with its reason. */
const isHeldByPerson = (state: SessionState): boolean =>
  state.hold !== null &&
  !isLimitHold(state) &&
  state.signals.get(state.hold.signal ?? '')?.signal.unproven === undefined;

const gets = (agent: Invocation['agent']): Pick<RoutingContext['running'][number], 'gets'> =>
  agent?.replying
    ? {
        gets: {
          STEER: reachWords(agent.reach, 'STEER'),
          INFO: reachWords(agent.reach, 'INFO'),
          now: nowWords,
        },
      }
    : {};
