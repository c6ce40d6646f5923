import { planRequest } from '../src/pipeline/questions/open-questions.ts';
import { draftWith } from './changes/review.ts';
import type { ComposeOverlay, Overlay } from './overlay.ts';
import { writtenIn } from './question/answer-words.ts';
import type { UiState, ViewState } from './view.ts';

/** Drafts are kept by type and task, those of edited signals by signal. */
export const draftKey = (overlay: ComposeOverlay): string =>
  overlay.editing === undefined
    ? `${overlay.type}:${overlay.recipient.task ?? ''}`
    : `edit:${overlay.editing}`;

/** The draft left here with Esc, by type and task. */
export const draftOf = (ui: UiState, type: string, task: string | null): string =>
  ui.drafts[`${type}:${task ?? ''}`] ?? '';

/** All drafts, including what is being written. */
export const draftsOf = (view: ViewState): UiState['drafts'] => ({
  ...view.ui.drafts,
  ...Object.fromEntries(view.ui.overlays.flatMap((overlay) => openDraft(view, overlay))),
});

/** The goal as it stands on the start screen, or as it stood when that was closed. */
export const goalDraft = ({ ui }: ViewState): string => {
  const start = ui.overlays.find(({ kind }) => kind === 'start');
  return start?.kind === 'start' ? start.editor.text : (ui.drafts['goal'] ?? '');
};

/** The draft that an open dialog would leave. The gate of the plan keeps its comments while they are typed. */
const openDraft = (view: ViewState, overlay: Overlay): readonly (readonly [what: string, text: string])[] => {
  switch (overlay.kind) {
    case 'compose':
      return [[draftKey(overlay), overlay.editor.text]];
    case 'answer':
      return overlay.request === planRequest ? [] : [[overlay.request, writtenIn(view, overlay)]];
    case 'prompt':
      return overlay.what === 'comment'
        ? [[overlay.request, draftWith(view, overlay.request, { ...overlay, text: overlay.editor.text })]]
        : [];
    default:
      return [];
  }
};
