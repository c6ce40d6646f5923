import { safeBlock } from '../src/base/safe.ts';
import { closeStale } from './close-stale.ts';
import { reduceIssues } from './issues/reduce-issues.ts';
import { selectsSignal } from './mailbox/pane.ts';
import { seeMailbox } from './mailbox/see-mailbox.ts';
import { seeRejections } from './mailbox/select-signals.ts';
import { holdNeed } from './needs/needs-queue.ts';
import { focusedPane, paneNamed } from './panes.ts';
import { selectPreferences } from './ports/select-preferences.ts';
import { focusOn, fromTheTop, moveInPane, showTab, turnWheel } from './reduce-move.ts';
import { isOverlayAction, reduceOverlays } from './reduce-overlays.ts';
import { reducePanes } from './reduce-panes.ts';
import { reduceTalk } from './talk/reduce-talk.ts';
import { selectsTask } from './tasks/move-in-graph.ts';
import type { UiAction } from './ui-action.ts';
import type { ViewState } from './view.ts';
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
          {
            canLeaveRunning: action.canLeaveRunning,
            resumable: action.resumable,
            lostAt: action.lostAt ?? null,
          },
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
    case 'tab-shown':
      return showTab(view, action.tab);
    case 'answer-held':
      return withUi({ ...view, notice: null }, { held: action.held });
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
    case 'divider-moved':
      return withUi(view, { left: action.column });
    case 'resized':
      return withUi(view, { size: { columns: action.columns, rows: action.rows } });
    case 'previewed':
      return withUi(view, {
        previews: {
          ...view.ui.previews,
          [action.file]: action.text === null ? null : safeBlock(action.text),
        },
      });
    case 'discovered':
      return withUi(view, { discovered: action.sentence });
    case 'issues-asked':
    case 'issues-read':
    case 'issue-read':
      return reduceIssues(view, action);
    case 'talk-shown':
    case 'talk-closed':
    case 'talk-turned':
    case 'talk-scrolled':
      return reduceTalk(view, action);
    default:
      return isOverlayAction(action) ? reduceOverlays(view, action) : reducePanes(view, action);
  }
};
