import { memoiseLast } from '../../src/base/memoise.ts';
import { safe } from '../../src/base/safe.ts';
import { flowTaskOf } from '../../src/issues/task-list/stored-task.ts';
import type { OpenQuestion } from '../../src/pipeline/questions/open-questions.ts';
import { reachedFrom } from '../../src/tasks/reached-from.ts';
import { documentRows } from '../../src/words/markdown/document-rows.ts';
import type { MarkdownLook } from '../../src/words/markdown/look.ts';
import type { MarkdownRow } from '../../src/words/markdown/markdown-line.ts';
import { shortQuestion } from '../../src/words/question-words.ts';
import { type Comment, commentsFor } from '../changes/review.ts';
import { overlayRows } from '../draw/page.ts';
import type { PlanReviewOverlay, ReviewSide } from '../overlay.ts';
import { selectQuestion } from '../question/select-question.ts';
import { selectTasks, type TaskLine } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';
import { planFacts } from './plan-facts.ts';

/** The review on top of the screen with its question, also while a comment is typed; `null` when it is settled or covered. */
export const selectPlanReview = (
  view: ViewState,
): { readonly overlay: PlanReviewOverlay; readonly question: OpenQuestion } | null => {
  const { overlays } = view.ui;
  const overlay = overlays.at(overlays.at(-1)?.kind === 'prompt' ? -2 : -1);
  if (overlay?.kind !== 'plan-review') return null;
  const question = selectQuestion(view.session, overlay.request);
  return question === null ? null : { overlay, question };
};

/** The question that a review settles. */
export type ReviewQuestion = OpenQuestion;

/** The path of a side's text, relative to the workspace. `null`: there is no such text. */
export const pathOf = ({ document, critique }: OpenQuestion, side: ReviewSide): string | null =>
  (side === 'plan' ? document : critique) ?? null;

/** The key of a text among those that were read. A later round may write the same file again. */
export const documentKey = (request: string, path: string): string => `${request} ${path}`;

/** The texts of the open review that were not read yet. */
export const selectUnreadDocuments = (
  view: ViewState,
): readonly { readonly key: string; readonly path: string }[] => {
  const review = selectPlanReview(view);
  if (review === null) return [];
  const { question } = review;
  return [question.document ?? [], question.critique ?? []]
    .flat()
    .map((path) => ({ path, key: documentKey(question.request, path) }))
    .filter(({ key }) => view.ui.documents[key] === undefined);
};

/** Cells and rows of the dialog: the critique beside the plan, or one of them at a time. */
interface ReviewBox {
  readonly width: number;
  readonly beside: boolean;
  readonly plan: number;
  readonly critique: number;
  readonly height: number;
}

/** Columns from which both texts are side by side. */
const besideFrom = 110;
/** Rows below the texts: a rule, the tasks behind the review, and the sentence about comments. */
const footRows = (view: ViewState, question: OpenQuestion): number =>
  selectBehind(view, question).length === 0 ? 2 : 3;

/** The tasks of the same issues that wait for the review, in their order: the work that an approval starts. */
export const selectBehind = (view: ViewState, { task }: OpenQuestion): readonly TaskLine[] => {
  const { graph, lines, ids } = selectTasks(view);
  const issuesOf = (id: string | null): readonly string[] => {
    const definition = view.session?.tasks.get(id ?? '')?.definition;
    return (definition && flowTaskOf(definition)?.issues) ?? [];
  };
  const own = issuesOf(task);
  const behind = task === null ? new Set<string>() : reachedFrom(graph, task);
  return ids
    .filter((id) => behind.has(id) && issuesOf(id).some((issue) => own.includes(issue)))
    .flatMap((id) => lines.get(id) ?? [])
    .filter(({ look }) => look !== 'replaced');
};

export const reviewBox = (view: ViewState, question: OpenQuestion): ReviewBox => {
  const { document, critique } = question;
  const { columns, rows } = view.ui.size;
  const width = Math.min(170, columns - 4);
  const inner = width - 4;
  const height = Math.max(3, overlayRows(rows) - footRows(view, question));
  const beside = columns >= besideFrom && document !== undefined && critique !== undefined;
  const plan = beside ? Math.floor((inner - 3) * 0.58) : inner;
  return { width, beside, plan, critique: beside ? inner - 3 - plan : inner, height };
};

interface Wanted {
  readonly text: string;
  readonly width: number;
}

const laidOut = () =>
  memoiseLast(
    (one: Wanted, other: Wanted) => one.text === other.text && one.width === other.width,
    (look: MarkdownLook, { text, width }: Wanted): readonly MarkdownRow[] => {
      const head = frontMatter.exec(text)?.[0] ?? '';
      const skipped = head.split('\n').length - 1;
      return documentRows(text.slice(head.length), width, look).map((row) => ({
        ...row,
        source: row.source + skipped,
      }));
    },
  );

/** Keys for programs, which no person reviews. */
const frontMatter = /^---\n[\s\S]*?\n---\n/;

/** Both texts are drawn in each frame, so each has its own memory. */
const layouts = { plan: laidOut(), critique: laidOut() };

/** Cells of the mark before each row. */
export const markWidth = 2;

/** A side's text as rows; `null` before it was read, a sentence where it cannot be. */
export const reviewRows = (
  view: ViewState,
  question: OpenQuestion,
  side: ReviewSide,
  look: MarkdownLook,
): readonly MarkdownRow[] | string | null => {
  const path = pathOf(question, side);
  if (path === null) return side === 'plan' ? 'No plan document was submitted.' : 'There is no critique.';
  const text = view.ui.documents[documentKey(question.request, path)];
  if (text === undefined) return null;
  if (text === null) return 'This document cannot be read.';
  return layouts[side](look, { text, width: reviewBox(view, question)[side] - markWidth });
};

/** The signs do not matter for where lines break. */
const anyLook: MarkdownLook = {
  ...{ bullet: '•', bar: '│', rule: '─', cross: '┼', opens: '╭', closes: '╰' },
  boxes: ['☑', '☐'],
  ticks: false,
};

/** The lines of the text with something on them: where the cursor stops. Counted from 0. */
export const reviewPlaces = (view: ViewState): readonly number[] => {
  const review = selectPlanReview(view);
  if (review === null) return [];
  const rows = reviewRows(view, review.question, review.overlay.side, anyLook);
  if (rows === null || typeof rows === 'string') return [];
  const filled = rows.filter(({ spans }) => spans.some(({ text }) => text.trim() !== ''));
  return [...new Set(filled.map(({ source }) => source))];
};

/** The line under the cursor, as a comment on it names it. `null` without a text. */
export const reviewPlace = (view: ViewState): { readonly file: string; readonly line: number } | null => {
  const review = selectPlanReview(view);
  if (review === null) return null;
  const { overlay, question } = review;
  const file = pathOf(question, overlay.side);
  const places = reviewPlaces(view);
  const source = places[Math.min(overlay.cursor, places.length - 1)];
  return file === null || source === undefined ? null : { file, line: source + 1 };
};

/** The comments on one of the texts, by their line counted from 0. */
export const reviewComments = (
  view: ViewState,
  question: OpenQuestion,
  side: ReviewSide,
): ReadonlyMap<number, Comment> =>
  new Map(
    commentsFor(view, question.request)
      .filter(({ file }) => file === pathOf(question, side))
      .map((comment) => [comment.line - 1, comment]),
  );

/** The question, without the paths that are in the dialog, and how much it is about. */
export const reviewTitle = ({ session }: ViewState, question: OpenQuestion): string => {
  const facts = session === null ? '' : ` ${planFacts(session, question)}`;
  return `${safe(shortQuestion(question.text))}${facts}`;
};
