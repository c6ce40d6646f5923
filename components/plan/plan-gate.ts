import { planRequest } from '../../src/pipeline/questions/open-questions.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import type { QuestionOption } from '../../src/signals/question-kinds.ts';
import { unprovenAnswers } from '../../src/words/unproven.ts';
import { planLines } from '../details/definition-lines.ts';
import { type TextRow, textRows } from '../details/text-rows.ts';
import { overlayRows } from '../draw/page.ts';
import { createEditor } from '../keys/line-editor.ts';
import type { AnswerOverlay, Overlay } from '../overlay.ts';
import { selectChoices, selectQuestion } from '../question/select-question.ts';
import { fitsDrawn, selectDrawing } from '../tasks/select-drawing.ts';
import { type GraphView, graphIn } from '../tasks/select-graph.ts';
import { selectTask, selectTasks, type TaskLine, type TaskRow } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';
import { planFacts } from './plan-facts.ts';

/** The gate of the plan on screen; `null` under another overlay and at other questions. */
export const planGateOf = ({ session, ui }: ViewState): AnswerOverlay | null => {
  const top = ui.overlays.at(-1);
  return session?.gate?.gate === 'plan' && isPlanGate(top) ? top : null;
};

/** Whether the overlay asks about the plan. */
export const isPlanGate = (overlay: Overlay | undefined): overlay is AnswerOverlay =>
  overlay?.kind === 'answer' && overlay.request === planRequest;

/** The gate as it opens: the tasks have the keys, and the field the comment on the task under the cursor; or with a choice that Enter sends. */
export const planGate = (view: ViewState, choice?: number): AnswerOverlay => ({
  kind: 'answer',
  request: planRequest,
  cursor: choice ?? 0,
  ...(choice === undefined ? { side: 'tasks' } : {}),
  editor: createEditor(commentOn(view, choice === undefined ? selectTask(view) : null)),
});

/** The comment on a task; of `null` the words about the whole plan. */
export const commentOn = ({ session, ui }: Pick<ViewState, 'session' | 'ui'>, task: string | null): string =>
  (session && ui.drafts[commentKey(session, task)]) ?? '';

/** The draft of a comment. A plan that was sent back and made again has no comments yet. */
export const commentKey = ({ gate }: SessionState, task: string | null): string =>
  `plan-comment:${gate?.opened ?? ''}:${task ?? ''}`;

/** The tasks with a comment, in the order of the rows. */
export const commentedTasks = (view: ViewState): readonly string[] =>
  selectTasks(view).ids.filter((id) => commentOn(view, id).trim() !== '');

/** What the Planner gets: a line for each comment, named by its task, then the words about the whole plan. */
export const planFeedback = (view: ViewState): string =>
  [...commentedTasks(view).map((id) => `${id}: ${commentOn(view, id).trim()}`), commentOn(view, null).trim()]
    .filter((line) => line !== '')
    .join('\n');

/** The names of the drafts that were sent with an answer. */
export const planDrafts = (view: ViewState): readonly string[] => {
  const { session } = view;
  return session === null ? [] : [...selectTasks(view).ids, null].map((task) => commentKey(session, task));
};

/** Cells and rows of the gate: the tasks beside the details of one, above them on a narrow screen. */
export interface PlanBox {
  readonly width: number;
  readonly beside: boolean;
  readonly list: number;
  readonly listHeight: number;
  readonly details: number;
  readonly height: number;
  /** The tasks as a drawn graph, where all of it fits beside the details. */
  readonly graph: GraphView | null;
}

/** The options of the decision. */
export const planChoices = ({ session }: ViewState): readonly QuestionOption[] =>
  selectChoices(selectQuestion(session, planRequest));

/** Files that answer already, each as a question. */
export const planFiles = ({ session }: ViewState): readonly string[] => unprovenAnswers(session, planRequest);

/** Offers a rehearsal where no agent with a model has done a task before. */
export const planOffer = ({ session }: ViewState): readonly string[] => {
  const isFirst = session !== null && session.earlier.usual === null;
  const usesModel = Object.values(session?.settings.roles ?? {}).some((agent) => agent !== 'script');
  return isFirst && usesModel
    ? ['No agent has worked here yet: {answer.rehearse} tries set-up, checks and push']
    : [];
};

/** Rows under the tasks: a rule, the options, files that answer already, and the field. */
const footRows = (view: ViewState): number =>
  1 + planChoices(view).length + planFiles(view).length + planOffer(view).length + fieldRows;

/** Rows of the field at most. */
export const fieldRows = 1;

/** Columns from which the details are beside the tasks. */
const besideFrom = 100;

/** Enough for most tasks, so that the box keeps its height from task to task. */
const usualRows = 34;

export const planBox = (view: ViewState): PlanBox => {
  const { columns, rows } = view.ui.size;
  const width = Math.min(150, columns - 4);
  const inner = width - 4;
  const room = Math.max(4, overlayRows(rows) - footRows(view));
  const { rows: all, total } = selectTasks(view);
  if (columns < besideFrom) {
    const listHeight = Math.max(2, Math.min(total, Math.floor((room - 1) / 2)));
    const height = room - 1 - listHeight;
    return { width, beside: false, list: inner, listHeight, details: inner, height, graph: null };
  }
  // No task of a plan has a time yet.
  const half = { width: Math.floor((inner - 3) / 2), height: room };
  if (isWhole(view) && fitsDrawn(view, half, false)) {
    const { layout } = selectDrawing(view, half, false).fitted;
    const height = Math.min(room, Math.max(usualRows, layout.height));
    const list = Math.min(half.width, layout.width + 2);
    const graph = graphIn(view, half, { width: list, height }, false);
    return { width, beside: true, list, listHeight: height, details: inner - list - 3, height, graph };
  }
  const list = Math.min(64, Math.floor(inner * 0.45));
  const height = Math.min(room, Math.max(usualRows, all.length));
  return { width, beside: true, list, listHeight: height, details: inner - list - 3, height, graph: null };
};

/** Whether the Tasks pane shows all tasks: a person decides on the whole plan. */
const isWhole = ({ ui }: ViewState): boolean =>
  ui.tasks.filter.trim() === '' && !ui.tasks.neighbours && ui.tasks.folded !== true;

/** The tasks by id; one with a comment says so. */
export const selectPlanLines = (view: ViewState): ReadonlyMap<string, TaskLine> => {
  const { lines } = selectTasks(view);
  const commented = commentedTasks(view);
  if (commented.length === 0) return lines;
  const marked = new Map(lines);
  for (const id of commented) {
    const line = lines.get(id);
    if (line !== undefined) marked.set(id, asCommented(line));
  }
  return marked;
};

const asCommented = (line: TaskLine): TaskLine => {
  const word = 'commented';
  return { ...line, look: word, word, brief: word, short: word };
};

/** The rows of the tasks; one with a comment says so. Where rows are few the waves have none: each task says what it waits for. */
export const selectPlanRows = (view: ViewState): readonly TaskRow[] => {
  const commented = new Set(commentedTasks(view));
  const { rows } = selectTasks(view);
  return rows
    .filter(({ kind }) => kind === 'task' || planBox(view).beside)
    .map((row) => (row.kind === 'task' && commented.has(row.id) ? asCommented(row) : row));
};

/** Everything that the plan says about the task under the cursor, as rows. */
export const selectPlanDetails = (view: ViewState): readonly TextRow[] => {
  const id = selectTask(view);
  const task = id === null ? undefined : view.session?.tasks.get(id);
  const { session } = view;
  return task === undefined || session === null
    ? []
    : textRows(
        planLines(session, selectTasks(view), task, commentOn(view, id).trim()),
        planBox(view).details,
      );
};

/** The question, and how much it is about. */
export const planTitle = (view: ViewState): string => {
  const question = selectQuestion(view.session, planRequest);
  return question === null || view.session === null
    ? 'Approve this plan?'
    : `Approve this plan? ${planFacts(view.session, question)}`;
};
