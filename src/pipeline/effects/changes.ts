import type { SessionState } from '../state.ts';
import { type Asks, save } from './table.ts';

/** Effects of the facts about changes. */
export const effectsOfChanges: Asks = {
  'review.passed': save,
  'merge.started': ({ after }) => stepUnderWay(after),
  'merge.rejected': ({ after }) => stepUnderWay(after),
  'undo.granted': ({ after }) => stepUnderWay(after),
  'finish.started': ({ after }) => stepUnderWay(after),
};

/** The work of git that the state waits for. Asked again at each start: a crash may have come between the fact and the work. */
export const stepUnderWay = ({ changes: { step } }: SessionState) =>
  step === null ? [] : [{ type: 'take-changes-step', step } as const];
