import { selectEnd } from '../../components/end/select-end.ts';
import type { ViewState } from '../../components/view.ts';

/** What the end screen counts, in one line. */
export const endCounts = (view: ViewState): string =>
  (selectEnd(view)?.counts ?? []).map(({ text }) => text).join(' · ');
