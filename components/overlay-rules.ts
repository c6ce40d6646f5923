import { windowRows } from './draw/text-window.ts';
import { selectEnd } from './end/select-end.ts';
import { formLength } from './form/form-view.ts';
import { selectMove } from './issues/select-move.ts';
import { selectQuitChoices } from './leave/select-quit.ts';
import { selectSignal } from './mailbox/select-signal.ts';
import { queuedNeeds } from './needs/needs-queue.ts';
import type { Overlay, OverlayKind } from './overlay.ts';
import { selectPermission, selectPermissionRows } from './permission/select-permission.ts';
import { reviewPlaces } from './plan/plan-review.ts';
import { selectChoices, selectQuestion } from './question/select-question.ts';
import { selectRunnerLines } from './runners/runners-text.ts';
import { selectTrustLines } from './start/select-trust.ts';
import { startItems } from './start/start-list.ts';
import { taskListBox } from './start/task-list.ts';
import type { ViewState } from './view.ts';

/** How an overlay takes the keys that all of them share. A new kind of overlay has its row here, or does not compile. */
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
/** The row that says what of a text is out of sight. */
const moreRow = 1;

const rules: { readonly [Kind in OverlayKind]: RuleOf<Kind> } = {
  answer: {
    moves: 'cursor',
    types: 'writes',
    length: ({ session }, { request }) => selectChoices(selectQuestion(session, request)).length,
  },
  compose: { moves: 'nothing', types: 'writes', length: none },
  confirm: { moves: 'nothing', types: 'writes', length: none },
  critical: { moves: 'cursor', types: 'nothing', length: (_view, { findings }) => findings.length },
  end: { moves: 'cursor', types: 'nothing', length: (view) => selectEnd(view)?.tasks.length ?? 0 },
  form: { moves: 'cursor', types: 'writes', length: ({ ui }, form) => formLength(form, ui.size) },
  // The rows of help and palette are commands, which the keymap counts.
  help: { moves: 'text', types: 'nothing', length: none },
  knowledge: {
    moves: 'list-with-preview',
    types: 'writes',
    length: ({ session }) => session?.gate?.files.length ?? 0,
  },
  'move-issue': {
    moves: 'cursor',
    types: 'nothing',
    length: (view, overlay) => selectMove(view, overlay)?.states.length ?? 0,
  },
  'needs-you': { moves: 'cursor', types: 'nothing', length: (view) => queuedNeeds(view).length },
  palette: { moves: 'cursor', types: 'writes-from-top', length: none },
  permission: {
    moves: 'text',
    types: 'nothing',
    length: (view, { request }) => {
      const permission = selectPermission(view, request);
      if (permission === null) return 0;
      return selectPermissionRows(view, permission, view.ui.size.columns).length + moreRow;
    },
  },
  'plan-review': { moves: 'cursor', types: 'nothing', length: (view) => reviewPlaces(view).length },
  prompt: { moves: 'nothing', types: 'writes', length: none },
  quit: { moves: 'cursor', types: 'nothing', length: (view) => selectQuitChoices(view).length },
  'ready-groups': { moves: 'cursor', types: 'nothing', length: (_view, { groups }) => groups.length },
  runners: {
    moves: 'text',
    types: 'nothing',
    // Times do not change how many lines there are.
    length: ({ session, ui }) =>
      windowRows(selectRunnerLines(session, { ms: 0, offset: 0 }), ui.size.columns).length + moreRow,
  },
  serve: { moves: 'cursor', types: 'nothing', length: (_view, { devices }) => devices.length },
  sessions: { moves: 'cursor', types: 'nothing', length: (_view, { rows }) => rows.length },
  settled: { moves: 'nothing', types: 'nothing', length: none },
  signal: { moves: 'text', types: 'nothing', length: (view, { id }) => signalLines(view, id) },
  statistics: {
    moves: 'text',
    types: 'nothing',
    length: ({ ui }, { lines }) => windowRows(lines, ui.size.columns).length + moreRow,
  },
  start: { moves: 'cursor', types: 'writes-from-top', length: (_view, start) => startItems(start).length },
  talk: { moves: 'cursor', types: 'writes', length: (_view, { talk }) => talk.open?.options.length ?? 0 },
  'task-list': {
    moves: 'text',
    types: 'nothing',
    length: ({ ui }, overlay) => taskListBox(overlay, ui.size).text.length + 2,
  },
  trust: {
    moves: 'text',
    types: 'nothing',
    length: ({ ui }, overlay) => selectTrustLines(overlay, ui.size.columns).length + moreRow,
  },
};

export const overlayRules: Readonly<Record<OverlayKind, OverlayRule>> = rules;

/** Every kind of overlay. */
export const overlayKinds: readonly OverlayKind[] = Object.keys(overlayRules).filter(
  (kind): kind is OverlayKind => Object.hasOwn(overlayRules, kind),
);

/** Roughly, by characters: times do not change how many lines there are. */
const signalLines = (view: ViewState, id: string): number => {
  const width = Math.max(1, Math.min(96, view.ui.size.columns - 4) - 13);
  return selectSignal(view, id, { ms: 0, offset: 0 })
    .flatMap(([, text]) => text.split('\n'))
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / width)), 0);
};
