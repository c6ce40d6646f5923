import { safeBlock } from '../base/safe.ts';
import { reduceIssues } from './issues/reduce-issues.ts';
import type { ComposeOverlay, HelpFilter, HelpOverlay, Overlay } from './overlay.ts';
import { closeStale } from './overlays/close-stale.ts';
import { commandsEdited } from './overlays/command-edit.ts';
import { keepComment, movePlan, readPlan } from './overlays/move-plan.ts';
import { answerNeed, holdNeed } from './overlays/needs-queue.ts';
import { planEdited } from './overlays/plan-edit.ts';
import { turnSetup } from './overlays/setup.ts';
import { withIssues } from './overlays/start.ts';
import { turnWizard } from './overlays/wizard.ts';
import { focusedPane, paneNamed } from './panes/index.ts';
import { selectsSignal } from './panes/signals.ts';
import { focusOn, fromTheTop, moveInPane, step, turnWheel } from './reduce-move.ts';
import { reducePanes } from './reduce-panes.ts';
import { reduceTalk } from './reduce-talk.ts';
import { selectPreferences } from './select-preferences.ts';
import { seeMailbox } from './signals/see-mailbox.ts';
import { seeRejections } from './signals/select-signals.ts';
import { selectsTask } from './tasks/move-in-graph.ts';
import { applyEdit, type Edit } from './text/line-editor.ts';
import { overlayRows } from './text/page.ts';
import type { Move, UiAction } from './ui-action.ts';
import type { UiState, ViewState } from './view.ts';
import { withUi } from './with-ui.ts';

/** The view after a key's action on the screen. Covers every action and cannot change the session. */
export const reduceUi = (view: ViewState, action: UiAction): ViewState => {
  const next = holdNeed(reduceAction(view, action));
  return focusedPane(next).name === 'processed' ? seeRejections(next) : next;
};

const reduceAction = (view: ViewState, action: UiAction): ViewState => {
  switch (action.type) {
    case 'connected':
      return closeStale(
        withUi(
          { ...view, connection: action.connection, opening: false },
          { canLeaveRunning: action.canLeaveRunning, resumable: action.resumable },
        ),
      );
    case 'mailbox-seen':
      return closeStale(seeMailbox(view, action.seen));
    case 'feedback-seen':
      return withUi(view, { feedbackFor: action.iteration, feedbackNeedsAgent: action.needsAgent });
    case 'hosting':
      return withUi(view, { alsoHosted: action.sessions });
    case 'replayed':
      return view.replay === null ? view : { ...view, replay: { ...view.replay, ...action.change } };
    case 'recalled':
      return withUi(view, {
        drafts: { ...action.written.drafts, ...view.ui.drafts },
        history: [...action.written.history, ...view.ui.history].slice(-100),
        ...(action.written.shown && {
          tasks: { ...view.ui.tasks, as: action.written.shown.tasks },
          third: action.written.shown.third,
        }),
      });
    case 'drafted':
      return withUi(view, { drafts: { ...view.ui.drafts, [action.what]: action.text } });
    case 'preferred':
      return { ...view, preferences: { ...selectPreferences(view), ...action.change } };
    case 'noticed':
      return { ...view, notice: action.notice };
    case 'focused':
      return focusOn(view, action.pane);
    case 'tab-chosen':
      return withUi(view, { focus: 'right', tab: action.tab, ...paneNamed(action.tab).arrive });
    case 'moved':
      return moveInPane(view, action.by);
    case 'wheeled':
      return turnWheel(view, action.pane, action.way);
    case 'selected-signal':
      return selectsSignal(view, action.list, action.id);
    case 'selected-task':
      return fromTheTop(selectsTask(view, action.task));
    case 'zoomed':
      return withUi(view, { zoom: !view.ui.zoom });
    case 'resized':
      return withUi(view, { size: { columns: action.columns, rows: action.rows } });
    case 'previewed':
      return withUi(view, {
        previews: {
          ...view.ui.previews,
          [action.file]: action.text === null ? null : safeBlock(action.text),
        },
      });
    case 'overlay-opened':
      return withUi({ ...view, notice: null }, { overlays: [...view.ui.overlays, action.overlay] });
    case 'overlay-closed':
      return closeOverlay(view, action.sent);
    case 'overlay-moved':
      return (
        movePlan(view, action.by) ??
        onTop(view, (overlay) => moveOverlay(overlay, action.by, action.length, view.ui))
      );
    case 'overlay-pointed':
      return onTop(view, (overlay) => ('cursor' in overlay ? { ...overlay, cursor: action.item } : overlay));
    case 'edited':
      return keepComment(filterAsTyped(onTop(view, (overlay) => editOverlay(overlay, action.edit))));
    case 'help-filtered':
      return onTop(view, (overlay) =>
        overlay.kind === 'help' ? filterHelp(overlay, action.change) : overlay,
      );
    case 'compose-set':
      return onTop(view, (overlay) =>
        overlay.kind !== 'compose'
          ? overlay
          : {
              ...overlay,
              recipient: action.recipient ?? overlay.recipient,
              type: action.kind ?? overlay.type,
              apply: action.apply === undefined ? overlay.apply : action.apply,
            },
      );
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
    case 'installs-unfolded':
      return onTop(view, (overlay) => (overlay.kind === 'start' ? { ...overlay, unfolded: true } : overlay));
    case 'commands-edited':
      return commandsEdited(view, action.text);
    case 'issues-offered':
      return withUi(view, {
        overlays: view.ui.overlays.map((overlay) =>
          overlay.kind === 'start' ? withIssues(overlay, action.issues, action.problem) : overlay,
        ),
      });
    case 'discovered':
      return withUi(view, { discovered: action.sentence });
    case 'wizard-turned':
      return onTop(view, (overlay) =>
        overlay.kind === 'wizard' ? turnWizard(overlay, action.turn) : overlay,
      );
    case 'setup-turned':
      return onTop(view, (overlay) => (overlay.kind === 'setup' ? turnSetup(overlay, action.by) : overlay));
    case 'issues-asked':
    case 'issues-read':
    case 'issue-read':
      return reduceIssues(view, action);
    case 'talk-shown':
    case 'talk-turned':
    case 'talk-scrolled':
      return reduceTalk(view, action);
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
    default:
      return reducePanes(view, action);
  }
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

const draftKey = (overlay: ComposeOverlay): string =>
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

const closeOverlay = (view: ViewState, sent: string | undefined): ViewState => {
  const top = view.ui.overlays.at(-1);
  const overlays = view.ui.overlays.slice(0, -1);
  if (top?.kind !== 'compose') return withUi(view, { overlays });
  const text = sent === undefined ? top.editor.text : '';
  const drafts = { ...view.ui.drafts, [draftKey(top)]: text };
  const history = sent
    ? [...view.ui.history.filter((entry) => entry !== sent), sent].slice(-100)
    : view.ui.history;
  return withUi(view, { overlays, drafts, history });
};

const editOverlay = (overlay: Overlay, edit: Edit): Overlay => {
  if (overlay.kind === 'palette') return { ...overlay, cursor: 0, editor: applyEdit(overlay.editor, edit) };
  if (overlay.kind === 'start') {
    const editor = applyEdit(overlay.editor, edit);
    // While a person types a goal, Enter means the goal, wherever the cursor was.
    return { ...overlay, cursor: editor.text === overlay.editor.text ? overlay.cursor : 0, editor };
  }
  return overlay.kind === 'compose' ||
    overlay.kind === 'confirm' ||
    overlay.kind === 'answer' ||
    overlay.kind === 'prompt' ||
    overlay.kind === 'knowledge' ||
    overlay.kind === 'wizard' ||
    overlay.kind === 'setup' ||
    overlay.kind === 'talk'
    ? { ...overlay, editor: applyEdit(overlay.editor, edit) }
    : overlay;
};

/** Narrows the list while a person types. Enter keeps what the list shows. */
const filterAsTyped = (view: ViewState): ViewState => {
  const top = view.ui.overlays.at(-1);
  if (top?.kind !== 'prompt' || top.what === 'search' || top.what === 'comment') return view;
  return top.what === 'filter'
    ? reducePanes(view, { type: 'filtered', pane: top.pane, text: top.editor.text })
    : reducePanes(view, { type: 'task-looked-for', text: top.editor.text, by: 0 });
};

const moveOverlay = (overlay: Overlay, by: Move, length: number, ui: UiState): Overlay => {
  switch (overlay.kind) {
    case 'help':
    case 'signal':
    case 'permission':
    case 'task-list':
    case 'trust':
      return {
        ...overlay,
        top: step(overlay.top, by, Math.max(1, length - overlayRows(ui.size.rows) + 2), ui),
      };
    case 'knowledge':
      // Pages move the preview, and then `length` is its last top. Lines choose a file.
      if (turnsPages(by)) return { ...overlay, top: step(Math.min(overlay.top, length - 1), by, length, ui) };
      return { ...overlay, cursor: step(overlay.cursor, by, length, ui), top: 0, asking: null };
    case 'needs-you':
    case 'end':
    case 'start':
    case 'sessions':
    case 'move-issue':
    case 'ready-groups':
    case 'plan-review':
    case 'quit':
    case 'palette':
    case 'answer':
    case 'wizard':
    case 'setup':
    case 'critical':
    case 'talk':
      return { ...overlay, cursor: step(overlay.cursor, by, length, ui) };
    case 'compose':
    case 'confirm':
    case 'prompt':
    case 'settled':
      return overlay;
  }
};

/** Moves by a page or half a page. In a list with a preview they scroll the preview. */
const turnsPages = (by: Move): boolean =>
  by === 'page-up' || by === 'page-down' || by === 'half-up' || by === 'half-down';
