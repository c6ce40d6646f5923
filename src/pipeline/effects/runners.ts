import type { RunnersEventType } from '../events/runners.ts';
import { type AsksOf, nothing } from './table.ts';

/** What becomes of a runner is for the screen; its link goes on by itself. */
export const effectsOfRunners: AsksOf<RunnersEventType> = {
  'runner.reached': nothing,
  'runner.lost': nothing,
  'runner.late-result': nothing,
};
