import type { Effect } from '../effect.ts';
import type { FlowEventType } from '../events/flow.ts';
import type { SessionState } from '../state.ts';
import { type AsksOf, nothing, save } from './table.ts';

/** Effects of the facts about issues. */
export const effectsOfFlow: AsksOf<FlowEventType> = {
  'flow.step-started': ({ after }) => flowStepUnderWay(after),
  'issues.read': nothing,
  'issues.locked': nothing,
  'result.recorded': save,
  'plan.decided': save,
  'issues.given-back': nothing,
  'flow.step-refused': nothing,
};

/** The step that the state waits for. Asked again at each start: a crash may have come between the fact and the work. */
export const flowStepUnderWay = ({ flow }: SessionState): readonly Effect[] =>
  flow?.step ? [{ type: 'take-flow-step', step: flow.step }] : [];
