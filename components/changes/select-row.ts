import type { Diff } from '../../src/words/diff/diff.ts';
import { readingOf } from '../reading.ts';
import type { ViewState } from '../view.ts';

/** The row of the diff under the cursor, or -1. */
export const selectRow = (view: ViewState, diff: Diff | null): number => {
  const place = Number(readingOf(view.ui, 'changes').at ?? -1);
  return place >= 0 && place < (diff?.kinds.length ?? 0) ? place : -1;
};
