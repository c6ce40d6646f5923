import { type Reading, readingOf } from './reading.ts';
import type { ViewState } from './view.ts';
import { withUi } from './with-ui.ts';

/** The view with a changed reading position in a pane. */
export const withReading = (view: ViewState, pane: string, change: Partial<Reading>): ViewState =>
  withUi(view, { readings: { ...view.ui.readings, [pane]: { ...readingOf(view.ui, pane), ...change } } });
