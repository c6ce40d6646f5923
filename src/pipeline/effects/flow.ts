import type { Effect } from '../effect.ts';
import type { FlowEventType } from '../events/flow.ts';
import { pollTimerName } from '../modes/flow/flow-state.ts';
import type { SessionState } from '../state.ts';
import { type AsksOf, nothing, save } from './table.ts';

/** Effects of the facts about issues. */
export const effectsOfFlow: AsksOf<FlowEventType> = {
  'flow.step-started': ({ after }) => flowStepUnderWay(after),
  'issues.read': ({ after }, event) => pollTimer(after, event.at),
  'issues.locked': nothing,
  'result.recorded': save,
  'plan.decided': save,
  'pr.looked': save,
  'pr.sent-back': save,
  'issues.given-back': nothing,
  'team.formed': save,
  'task.claimed': nothing,
  'task.released': nothing,
  'worker.left': save,
  // A failed reading is tried again with the next poll.
  'flow.step-refused': ({ after }, event) => (event.task === undefined ? pollTimer(after, event.at) : []),
};

const pollTimer = ({ settings }: SessionState, at: string): readonly Effect[] => [
  { type: 'arm-timer', timer: pollTimerName, at_ms: Date.parse(at) + settings.flow.poll },
];

/** The step that the state waits for. Asked again at each start: a crash may have come between the fact and the work. */
export const flowStepUnderWay = ({ flow }: SessionState): readonly Effect[] =>
  flow?.step ? [{ type: 'take-flow-step', step: flow.step }] : [];
