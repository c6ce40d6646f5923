import type { Effect } from '../effect.ts';
import type { SessionState } from '../state.ts';
import { type Asks, type Change, save } from './table.ts';

/** Stops the checks of merges that are made again. */
const stopBehind = ({ before, after }: Change): readonly Effect[] =>
  [...after.invocations.values()].flatMap(({ id, stage, stale }) =>
    stage === 'running' && stale && before.invocations.get(id)?.stale === false
      ? [{ type: 'stop-invocation', invocation: id, reason: 'retry' } as const]
      : [],
  );

/** Effects of the facts about changes. */
export const effectsOfChanges: Asks = {
  'review.passed': save,
  'review.missed': save,
  'merge.started': ({ after }) => stepUnderWay(after),
  'landing.started': ({ after }) => stepUnderWay(after),
  'landing.refused': stopBehind,
  'merge.rejected': (change) => [...stopBehind(change), ...stepUnderWay(change.after)],
  'undo.granted': ({ after }) => stepUnderWay(after),
  'finish.started': ({ after }) => stepUnderWay(after),
  'teardown.started': ({ after }) => stepUnderWay(after),
};

/** The work of git that the state waits for. Asked again at each start: a crash may have come between the fact and the work. */
export const stepUnderWay = ({ changes: { step } }: SessionState) =>
  step === null ? [] : [{ type: 'take-changes-step', step } as const];
