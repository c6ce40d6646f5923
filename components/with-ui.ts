import type { UiState, ViewState } from './view.ts';

/** The view with a changed part of the screen's own state. */
export const withUi = (view: ViewState, change: Partial<UiState>): ViewState => ({
  ...view,
  ui: { ...view.ui, ...change },
});
