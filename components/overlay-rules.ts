import { dialogLength } from './dialog/dialog-lines.ts';
import { dialogKinds, dialogs, isDialog, isDialogKind } from './dialogs.ts';
import { selectEnd } from './end/select-end.ts';
import { formLength } from './form/form-view.ts';
import { queuedNeeds } from './needs/needs-queue.ts';
import type { DialogKind, Overlay, OverlayKind } from './overlay.ts';
import { reviewPlaces } from './plan/plan-review.ts';
import { selectChoices, selectQuestion } from './question/select-question.ts';
import { startItems } from './start/start-list.ts';
import type { ViewState } from './view.ts';

/** How an overlay takes the keys that all of them share. A screen of its own has its row here, a dialog its entry in `dialogs.ts`; without one it does not compile. */
interface OverlayRule {
  /** What arrows and pages move: the text as a whole, a cursor in a list, a list with a preview that pages scroll, or nothing. */
  readonly moves: 'text' | 'cursor' | 'list-with-preview' | 'nothing';
  /** What typing does: it writes into the editor, or also puts the cursor back to the first row. */
  readonly types: 'writes' | 'writes-from-top' | 'nothing';
  /** How far it moves: items of its list, or lines of its text. */
  length(view: ViewState, overlay: Overlay): number;
}

/** The rule of one kind, which gets overlays of that kind only. */
interface RuleOf<Kind extends OverlayKind> extends Omit<OverlayRule, 'length'> {
  readonly length: (view: ViewState, overlay: Extract<Overlay, { kind: Kind }>) => number;
}

const none = (): number => 0;

type ScreenKind = Exclude<OverlayKind, DialogKind>;

const rules: { readonly [Kind in ScreenKind]: RuleOf<Kind> } = {
  answer: {
    moves: 'cursor',
    types: 'writes',
    length: ({ session }, { request }) => selectChoices(selectQuestion(session, request)).length,
  },
  compose: { moves: 'nothing', types: 'writes', length: none },
  confirm: { moves: 'nothing', types: 'writes', length: none },
  end: { moves: 'cursor', types: 'nothing', length: (view) => selectEnd(view)?.tasks.length ?? 0 },
  form: { moves: 'cursor', types: 'writes', length: ({ ui }, form) => formLength(form, ui.size) },
  // The rows of help and palette are commands, which the keymap counts.
  help: { moves: 'text', types: 'nothing', length: none },
  knowledge: {
    moves: 'list-with-preview',
    types: 'writes',
    length: ({ session }) => session?.gate?.files.length ?? 0,
  },
  'needs-you': { moves: 'cursor', types: 'nothing', length: (view) => queuedNeeds(view).length },
  palette: { moves: 'cursor', types: 'writes-from-top', length: none },
  'plan-review': { moves: 'cursor', types: 'nothing', length: (view) => reviewPlaces(view).length },
  prompt: { moves: 'nothing', types: 'writes', length: none },
  settled: { moves: 'nothing', types: 'nothing', length: none },
  start: { moves: 'cursor', types: 'writes-from-top', length: (_view, start) => startItems(start).length },
  talk: { moves: 'cursor', types: 'writes', length: (_view, { talk }) => talk.open?.options.length ?? 0 },
};

/** The overlays that are no dialogs of the list. */
const screenKinds = Object.keys(rules).filter((kind): kind is ScreenKind => Object.hasOwn(rules, kind));

const ofScreens: Readonly<Record<ScreenKind, OverlayRule>> = rules;

/** Every kind of overlay. */
export const overlayKinds: readonly OverlayKind[] = [...screenKinds, ...dialogKinds];

export const overlayRule = (kind: OverlayKind): OverlayRule =>
  isDialogKind(kind) ? dialogRule(kind) : ofScreens[kind];

const dialogRule = (kind: DialogKind): OverlayRule => {
  const dialog = dialogs[kind];
  return {
    moves: dialog.moves,
    types: 'nothing',
    length: (view, overlay) => (isDialog(overlay) ? dialogLength(dialog, view, overlay) : 0),
  };
};
