import type { UiState, ViewState } from './view.ts';

/** The view with something of the screen itself changed. */
export const withUi = (view: ViewState, change: Partial<UiState>): ViewState => ({
  ...view,
  ui: { ...view.ui, ...change },
});
