import { selectEnd } from '../../src/store/session/select-end.ts';
import type { ViewState } from '../../src/store/view.ts';

/** What the end screen counts, in one line. */
export const endCounts = (view: ViewState): string =>
  (selectEnd(view)?.counts ?? []).map(({ text }) => text).join(' · ');
