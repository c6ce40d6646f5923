import { commandsEdited } from './compose/command-edit.ts';
import { draftKey } from './drafts.ts';
import { overlayRows } from './draw/page.ts';
import { turnForm } from './form/form-view.ts';
import { applyEdit, type Edit } from './keys/line-editor.ts';
import { answerNeed } from './needs/needs-queue.ts';
import { selectNeeds } from './needs/select-needs.ts';
import type { ComposeChange, ComposeOverlay, HelpFilter, HelpOverlay, Overlay } from './overlay.ts';
import { overlayRule } from './overlay-rules.ts';
import { keepComment, movePlan, readPlan } from './plan/move-plan.ts';
import { planEdited } from './plan/plan-edit.ts';
import { keepWords, withChoice } from './question/answer-words.ts';
import { step } from './reduce-move.ts';
import { reducePanes } from './reduce-panes.ts';
import { searchTrust } from './start/select-trust.ts';
import { refolded, withIssues } from './start/start-list.ts';
import type { Move, UiAction } from './ui-action.ts';
import type { UiState, ViewState } from './view.ts';
import { withUi } from './with-ui.ts';

const overlayActions = [
  'overlay-opened',
  'end-shown',
  'overlay-closed',
  'overlay-moved',
  'overlay-pointed',
  'edited',
  'help-filtered',
  'trust-searched',
  'help-unfolded',
  'compose-set',
  'need-answered',
  'plan-read',
  'plan-edited',
  'agent-chosen',
  'installs-folding-toggled',
  'commands-edited',
  'issues-offered',
  'sessions-found',
  'form-turned',
  'review-turned',
  'file-chosen',
  'decision-asked',
] as const;

type OverlayAction = Extract<UiAction, { type: (typeof overlayActions)[number] }>;

export const isOverlayAction = (action: UiAction): action is OverlayAction =>
  overlayActions.some((type) => type === action.type);

/** The view after an action on the overlays; most mean the one on top. */
export const reduceOverlays = (view: ViewState, action: OverlayAction): ViewState => {
  switch (action.type) {
    case 'overlay-opened':
      return withUi({ ...view, notice: null }, { overlays: [...view.ui.overlays, action.overlay] });
    case 'end-shown':
      return showEnd(view);
    case 'overlay-closed':
      return closeOverlay(view, action.sent);
    case 'overlay-moved':
      return movePlan(view, action.by) ?? moved(view, action);
    case 'overlay-pointed':
      return onTop(withChoice(view, action.item), (overlay) =>
        'cursor' in overlay ? { ...overlay, cursor: action.item } : overlay,
      );
    case 'edited':
      return keepComment(filterAsTyped(onTop(view, (overlay) => editOverlay(overlay, action.edit))));
    case 'trust-searched':
      return onTop(view, (overlay) =>
        overlay.kind === 'trust' ? searchTrust(overlay, action, view.ui.size.columns) : overlay,
      );
    case 'help-filtered':
      return onTop(view, (overlay) =>
        overlay.kind === 'help' ? filterHelp(overlay, action.change) : overlay,
      );
    case 'help-unfolded':
      return onTop(view, (overlay) =>
        overlay.kind === 'help' ? { ...overlay, all: overlay.all !== true, top: 0 } : overlay,
      );
    case 'compose-set':
      return composeSet(view, action);
    case 'need-answered':
      return answerNeed(view);
    case 'plan-read':
      return readPlan(view, action);
    case 'plan-edited':
      return planEdited(view, action.text);
    case 'agent-chosen':
      return onTop(view, (overlay) =>
        overlay.kind === 'start' ? { ...overlay, agent: action.agent } : overlay,
      );
    case 'installs-folding-toggled':
      return onTop(view, (overlay) => (overlay.kind === 'start' ? refolded(overlay) : overlay));
    case 'commands-edited':
      return commandsEdited(view, action.text);
    case 'issues-offered':
      return withUi(view, {
        overlays: view.ui.overlays.map((overlay) =>
          overlay.kind === 'start' ? withIssues(overlay, action.issues, action.problem) : overlay,
        ),
      });
    case 'sessions-found':
      return withUi(view, {
        overlays: view.ui.overlays.map((overlay) =>
          overlay.kind === 'sessions' ? { ...overlay, rows: [...overlay.rows, ...action.rows] } : overlay,
        ),
      });
    case 'form-turned':
      return onTop(view, (overlay) => (overlay.kind === 'form' ? turnForm(overlay, action.turn) : overlay));
    case 'review-turned':
      return onTop(view, (overlay) =>
        overlay.kind === 'plan-review'
          ? { ...overlay, cursor: 0, side: overlay.side === 'plan' ? 'critique' : 'plan' }
          : overlay,
      );
    case 'file-chosen':
      return onTop(view, (overlay) =>
        overlay.kind === 'knowledge' ? { ...overlay, chosen: toggle(overlay.chosen, action.file) } : overlay,
      );
    case 'decision-asked':
      return onTop(view, (overlay) =>
        overlay.kind === 'knowledge' ? { ...overlay, asking: action.decision } : overlay,
      );
  }
};

/** The words go with the message: no draft of them stays with the recipient before. */
const composeSet = (view: ViewState, change: ComposeChange): ViewState => {
  const top = view.ui.overlays.at(-1);
  if (top?.kind !== 'compose') return view;
  const moved = onTop(view, () => changed(top, change));
  return withUi(moved, { drafts: { ...view.ui.drafts, [draftKey(top)]: '' } });
};

const changed = (overlay: ComposeOverlay, change: ComposeChange): ComposeOverlay => {
  const { editing, commands, ...rest } = overlay;
  const type = change.kind ?? overlay.type;
  return {
    ...rest,
    type,
    recipient: change.recipient ?? overlay.recipient,
    apply: change.apply === undefined ? overlay.apply : change.apply,
    ...(editing === undefined || change.anew ? {} : { editing }),
    ...(commands === undefined || type !== 'RETRY' ? {} : { commands }),
  };
};

const showEnd = (view: ViewState): ViewState => {
  const isEmptyQueue = selectNeeds(view).length === 0;
  const inUse = view.ui.overlays.filter(
    ({ kind }) => kind !== 'settled' && kind !== 'end' && !(kind === 'needs-you' && isEmptyQueue),
  );
  // A notice of missed events stays below it.
  const notice = inUse.length > 0 || view.notice?.stays === true ? view.notice : null;
  return withUi({ ...view, notice }, { overlays: [{ kind: 'end', cursor: 0 }, ...inUse] });
};

const onTop = (view: ViewState, change: (overlay: Overlay) => Overlay): ViewState => {
  const top = view.ui.overlays.at(-1);
  return top === undefined
    ? view
    : withUi(view, { overlays: [...view.ui.overlays.slice(0, -1), change(top)] });
};

/** Ends of lines and other controls come with keys that arrive in one read, and are no text. */
const filterHelp = (overlay: HelpOverlay, change: Partial<HelpFilter>): HelpOverlay => {
  const filter = { ...(overlay.filter ?? { text: '', focused: false }), ...change };
  const text = filter.text.replace(/\p{Cc}/gu, '');
  return { ...overlay, top: text === overlay.filter?.text ? overlay.top : 0, filter: { ...filter, text } };
};

const toggle = (chosen: readonly string[], file: string): readonly string[] =>
  chosen.includes(file) ? chosen.filter((other) => other !== file) : [...chosen, file];

const closeOverlay = (view: ViewState, sent: string | undefined): ViewState => {
  const top = view.ui.overlays.at(-1);
  const overlays = view.ui.overlays.slice(0, -1);
  if (top?.kind === 'start')
    return withUi(view, { overlays, drafts: { ...view.ui.drafts, goal: top.editor.text } });
  if (top?.kind !== 'compose') return withUi(sent === undefined ? keepWords(view) : view, { overlays });
  const text = sent === undefined ? top.editor.text : '';
  const drafts = { ...view.ui.drafts, [draftKey(top)]: text };
  const history = sent
    ? [...view.ui.history.filter((entry) => entry !== sent), sent].slice(-100)
    : view.ui.history;
  return withUi(view, { overlays, drafts, history });
};

const editOverlay = (overlay: Overlay, edit: Edit): Overlay => {
  if (!('editor' in overlay)) return overlay;
  const editor = applyEdit(overlay.editor, edit);
  // A list begins again; on the start screen Enter means the typed goal, wherever the cursor was.
  const typed = overlay.kind === 'palette' || editor.text !== overlay.editor.text;
  return overlayRule(overlay.kind).types === 'writes-from-top' && typed && 'cursor' in overlay
    ? { ...overlay, cursor: 0, editor }
    : { ...overlay, editor };
};

/** Narrows the list while a person types. Enter keeps what the list shows. */
const filterAsTyped = (view: ViewState): ViewState => {
  const top = view.ui.overlays.at(-1);
  if (top?.kind !== 'prompt') return view;
  switch (top.what) {
    case 'filter':
      return reducePanes(view, { type: 'filtered', pane: top.pane, text: top.editor.text });
    case 'find':
      return reducePanes(view, { type: 'task-looked-for', text: top.editor.text, by: 0 });
    case 'search':
    case 'trust':
    case 'comment':
      return view;
  }
};

const moved = (view: ViewState, { by, length }: Extract<UiAction, { type: 'overlay-moved' }>): ViewState => {
  const top = view.ui.overlays.at(-1);
  return top?.kind === 'answer'
    ? withChoice(view, step(top.cursor, by, length, view.ui))
    : onTop(view, (overlay) => moveOverlay(overlay, by, length, view.ui));
};

const moveOverlay = (overlay: Overlay, by: Move, length: number, ui: UiState): Overlay => {
  const rule = overlayRule(overlay.kind).moves;
  const pages = rule === 'list-with-preview' && turnsPages(by);
  // Pages move the preview, and then `length` is its last top. Lines choose a file.
  if (pages && 'top' in overlay)
    return { ...overlay, top: step(Math.min(overlay.top, length - 1), by, length, ui) };
  if (rule === 'text' && 'top' in overlay) {
    // One row says what is out of sight.
    const tops = Math.max(1, length - overlayRows(ui.size.rows) + 2);
    return { ...overlay, top: step(overlay.top, by, tops, ui) };
  }
  if (overlay.kind === 'knowledge')
    return { ...overlay, cursor: step(overlay.cursor, by, length, ui), top: 0, asking: null };
  return rule === 'cursor' && 'cursor' in overlay
    ? { ...overlay, cursor: step(overlay.cursor, by, length, ui) }
    : overlay;
};

/** Moves by a page or half a page. In a list with a preview they scroll the preview. */
const turnsPages = (by: Move): boolean =>
  by === 'page-up' || by === 'page-down' || by === 'half-up' || by === 'half-down';
