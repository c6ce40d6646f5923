import type { ComposeOverlay } from '../overlay.ts';
import type { UiState } from '../view.ts';

/** Drafts are kept by type and task, those of edited signals by signal. */
export const draftKey = (overlay: ComposeOverlay): string =>
  overlay.editing === undefined
    ? `${overlay.type}:${overlay.recipient.task ?? ''}`
    : `edit:${overlay.editing}`;

/** The draft left here with Esc, by type and task. */
export const draftOf = (ui: UiState, type: string, task: string | null): string =>
  ui.drafts[`${type}:${task ?? ''}`] ?? '';

/** All drafts, including the text of an open composer. */
export const draftsOf = (ui: UiState): UiState['drafts'] => ({
  ...ui.drafts,
  ...Object.fromEntries(
    ui.overlays.flatMap((overlay) =>
      overlay.kind === 'compose' ? [[draftKey(overlay), overlay.editor.text] as const] : [],
    ),
  ),
});
