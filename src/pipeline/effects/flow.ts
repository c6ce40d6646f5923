import type { Effect } from '../effect.ts';
import { awayTimerName, pollTimerName } from '../modes/flow/flow-state.ts';
import type { SessionState } from '../state.ts';
import { type Asks, save } from './table.ts';

/** Effects of the facts about issues. */
export const effectsOfFlow: Asks = {
  'flow.step-started': ({ after }) => flowStepUnderWay(after),
  'issues.read': ({ after }, event) => pollTimer(after, event.at),
  'result.recorded': save,
  'merge.proposed': save,
  'plan.decided': save,
  'pr.looked': save,
  'pr.drafted': save,
  'pr.sent-back': save,
  'team.formed': save,
  'task.released': ({ before }, { worker }) => stopWorkOf(before, worker),
  'worker.left': ({ before }, { worker }) => [...stopWorkOf(before, worker), ...save()],
  'worker.knocked': save,
  'worker.admitted': save,
  // A failed reading is tried again with the next poll.
  'flow.step-refused': ({ after }, event) =>
    awayTimer(after, event.at) ?? (event.task === undefined ? pollTimer(after, event.at) : []),
};

/** Others start again what this worker had begun. */
const stopWorkOf = ({ invocations }: SessionState, worker: string | null): readonly Effect[] =>
  [...invocations.values()].flatMap((each) =>
    worker !== null && each.worker === worker && each.stage === 'running'
      ? [{ type: 'stop-invocation', invocation: each.id, reason: 'retry' } as const]
      : [],
  );

const pollTimer = ({ settings }: SessionState, at: string): readonly Effect[] => [
  { type: 'arm-timer', timer: pollTimerName, at_ms: Date.parse(at) + settings.flow.poll },
];

/** When the step is taken again that the tracker did not answer; `null`: it is not. */
const awayTimer = ({ flow, settings }: SessionState, at: string): readonly Effect[] | null => {
  if (flow === null || flow.away === null) return null;
  const delay = settings.retries.backoff[flow.away.tries - 1] ?? 0;
  return [{ type: 'arm-timer', timer: awayTimerName, at_ms: Date.parse(at) + delay }];
};

/** The step that the state waits for. Asked again at each start: a crash may have come between the fact and the work. */
export const flowStepUnderWay = ({ flow }: SessionState): readonly Effect[] =>
  flow?.step ? [{ type: 'take-flow-step', step: flow.step }] : [];
