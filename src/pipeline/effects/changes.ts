import { type AsksOf, save } from './table.ts';

/** Effects of the facts about changes. */
export const effectsOfChanges: AsksOf<'review.passed'> = {
  'review.passed': save,
};
