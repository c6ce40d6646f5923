import { createEditor } from '../keys/line-editor.ts';
import type { AnswerOverlay, PlanSide } from '../overlay.ts';
import { readingOf } from '../reading.ts';
import { fromTheTop } from '../reduce-move.ts';
import { stepBy } from '../step.ts';
import { selectTask, selectTasks } from '../tasks/select-tasks.ts';
import type { Move } from '../ui-action.ts';
import type { ViewState } from '../view.ts';
import { withReading } from '../with-reading.ts';
import { withUi } from '../with-ui.ts';
import {
  commentKey,
  commentOn,
  planBox,
  planChoices,
  planFeedback,
  planGateOf,
  selectPlanDetails,
} from './plan-gate.ts';

/** Keeps what is in the field with its task, while a person types. */
export const keepComment = (view: ViewState): ViewState => {
  const gate = planGateOf(view);
  const { session, ui } = view;
  if (gate === null || session === null) return view;
  const task = gate.side === 'tasks' ? selectTask(view) : null;
  return withUi(view, { drafts: { ...ui.drafts, [commentKey(session, task)]: gate.editor.text } });
};

/** The gate with the keys on another side, or on another task. Comments wait at the option that sends them. */
export const readPlan = (
  view: ViewState,
  to: { readonly task?: string; readonly side: PlanSide },
): ViewState => {
  const gate = planGateOf(view);
  if (gate === null) return view;
  const { task, side } = to;
  const at =
    task === undefined || task === selectTask(view)
      ? view
      : fromTheTop(withUi(view, { selected: { ...view.ui.selected, tasks: task } }));
  const { side: _, ...others } = gate;
  const revise = planChoices(at).findIndex(({ words }) => words !== undefined);
  const cursor = side === 'options' && planFeedback(at) !== '' ? Math.max(0, revise) : gate.cursor;
  const editor = createEditor(commentOn(at, side === 'tasks' ? selectTask(at) : null));
  const turned: AnswerOverlay = { ...others, cursor, editor, ...(side === 'tasks' ? { side } : {}) };
  return withUi(at, { overlays: [...at.ui.overlays.slice(0, -1), turned] });
};

/** The gate after a move: pages scroll the details, lines choose a task. `null` where the move is for the options. */
export const movePlan = (view: ViewState, by: Move): ViewState | null => {
  const gate = planGateOf(view);
  if (gate === null) return null;
  if (by === 'page-up' || by === 'page-down') {
    const { height } = planBox(view);
    const { length } = selectPlanDetails(view);
    // One row says how much is out of sight.
    const last = length <= height ? 0 : length - height + 1;
    const from = Math.min(readingOf(view.ui, 'details').top ?? 0, last);
    return withReading(view, 'details', { top: stepBy(from, by, last + 1, Math.max(1, height - 2)) });
  }
  if (gate.side !== 'tasks') return null;
  const { ids } = selectTasks(view);
  const task = ids[stepBy(ids.indexOf(selectTask(view) ?? ''), by, ids.length, 1)];
  return task === undefined ? view : readPlan(view, { task, side: 'tasks' });
};
