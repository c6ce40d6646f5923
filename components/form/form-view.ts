import { memoise } from '../../src/base/memoise.ts';
import { safe } from '../../src/base/safe.ts';
import { type FormSubject, formOf } from '../../src/session/form-subject.ts';
import { resultText } from '../../src/session/forms/form.ts';
import { type Answers, type Choice, linesOf, type Question } from '../../src/session/forms/question.ts';
import { wrap } from '../../src/words/width.ts';
import { overlayRows } from '../draw/page.ts';
import { createEditor, type Editor } from '../keys/line-editor.ts';

/** A form over the panes, one question a step. The last step shows what the answers come to. */
export interface FormOverlay {
  readonly kind: 'form';
  readonly subject: FormSubject;
  /** A question that was skipped has none. */
  readonly answers: Answers;
  /** Index into the questions; their number is the last step. */
  readonly step: number;
  /** The item under the cursor; in the last step the first line shown. */
  readonly cursor: number;
  /** Shows findings of low severity too. */
  readonly unfolded: boolean;
  /** The field of the steps for words. */
  readonly editor: Editor;
}

export type FormTurn = 'next' | 'skip' | 'back' | 'toggle' | 'fold';

/** The form at its first question. `answers` holds what was answered before, as flags. */
export const openForm = (subject: FormSubject, answers: Answers = {}): FormOverlay =>
  atStep({ kind: 'form', subject, answers, step: 0, cursor: 0, unfolded: false, editor: createEditor() }, 0);

/** The question of the present step, or `null` at the last one. */
export const formQuestion = (overlay: FormOverlay): Question | null =>
  questionsOf(overlay)[overlay.step] ?? null;

/** The question of the present step, at the last one whether its result holds. */
export const formTitle = (overlay: FormOverlay): string =>
  formQuestion(overlay)?.text ?? formOf(overlay.subject).confirm;

/** Whether text typed now goes into the field. */
export const isFormWords = (overlay: FormOverlay): boolean => formQuestion(overlay)?.kind === 'words';

/** The items of the present step. */
export const formItems = (overlay: FormOverlay): readonly Choice[] =>
  (formQuestion(overlay)?.options ?? []).filter(({ severity }) => overlay.unfolded || severity !== 'low');

/** How many items of the present step are of low severity, and whether they are folded. */
export const formLow = (overlay: FormOverlay): { readonly count: number; readonly isFolded: boolean } => ({
  count: (formQuestion(overlay)?.options ?? []).filter(({ severity }) => severity === 'low').length,
  isFolded: !overlay.unfolded,
});

/** The ids that are ticked in the present step; `null` before anything was, and where one item is chosen. */
export const formTicked = (overlay: FormOverlay): readonly string[] | null => {
  const question = formQuestion(overlay);
  if (question?.kind !== 'choices') return null;
  const answer = overlay.answers[question.id] ?? (question.offered || undefined);
  return answer === undefined ? null : linesOf(answer);
};

/** Why Enter does not lead on, or `null`. */
export const formProblem = (overlay: FormOverlay): string | null => {
  const question = formQuestion(overlay);
  if (question === null) return null;
  return formOf(overlay.subject).problem(question.id, answered(overlay).answers[question.id] ?? '');
};

/** The answers with which Enter ends the form at this step, or `null` while more steps follow. */
export const formEnd = (overlay: FormOverlay): Answers | null => {
  const { answers } = answered(overlay);
  if (formQuestion(overlay) === null) return answers;
  const form = formOf(overlay.subject);
  const isLast = form.questions(answers)[overlay.step + 1] === undefined;
  return isLast && form.result(answers) === null ? answers : null;
};

/** `Step 2 of 6` */
export const formPlace = (overlay: FormOverlay): string =>
  `Step ${overlay.step + 1} of ${questionsOf(overlay).length + 1}`;

/** The form after a key. `skip` leaves the question without an answer. */
export const turnForm = (overlay: FormOverlay, turn: FormTurn): FormOverlay => {
  switch (turn) {
    case 'toggle':
      return toggled(overlay);
    case 'fold':
      return { ...overlay, unfolded: !overlay.unfolded, cursor: 0 };
    case 'next':
      return atStep(answered(overlay), overlay.step + 1);
    case 'skip':
      return atStep(withAnswer(overlay, null), overlay.step + 1);
    case 'back':
      return atStep(answered(overlay), overlay.step - 1);
  }
};

const questionsOf = memoise(({ subject, answers }: FormOverlay): readonly Question[] =>
  formOf(subject).questions(answers),
);

const withAnswer = (overlay: FormOverlay, answer: string | null): FormOverlay => {
  const question = formQuestion(overlay);
  if (question === null) return overlay;
  const { [question.id]: _, ...others } = overlay.answers;
  return { ...overlay, answers: answer === null ? others : { ...others, [question.id]: answer } };
};

/** Takes the answer of the present step over. */
const answered = (overlay: FormOverlay): FormOverlay => {
  const question = formQuestion(overlay);
  if (question?.kind === 'choices') return withAnswer(overlay, formTicked(overlay)?.join('\n') ?? null);
  return withAnswer(
    overlay,
    question?.kind === 'words' ? overlay.editor.text.trim() : (formItems(overlay)[overlay.cursor]?.id ?? ''),
  );
};

const toggled = (overlay: FormOverlay): FormOverlay => {
  const here = formItems(overlay)[overlay.cursor]?.id;
  if (here === undefined || formQuestion(overlay)?.kind !== 'choices') return overlay;
  const before = formTicked(overlay) ?? [];
  const now = before.includes(here) ? before.filter((id) => id !== here) : [...before, here];
  return withAnswer(overlay, now.join('\n'));
};

const atStep = (overlay: FormOverlay, wanted: number): FormOverlay => {
  const questions = questionsOf(overlay);
  const step = Math.max(0, Math.min(wanted, questions.length));
  const question = questions[step];
  const answer = question === undefined ? '' : (overlay.answers[question.id] ?? question.offered);
  const cursor =
    question?.kind === 'choice'
      ? Math.max(
          0,
          question.options.findIndex(({ id }) => id === answer),
        )
      : 0;
  return { ...overlay, step, cursor, editor: createEditor(question?.kind === 'words' ? answer : '') };
};

/** Columns of a form's frame on a screen of `columns` columns. */
export const formWidth = (columns: number): number => Math.min(100, columns - 4);

/** Rows for the list or text of a step. The others show the detail under the cursor and the place in the form. */
export const formRoom = (rows: number): number => Math.max(2, overlayRows(rows) - 5);

/** What the answers come to, for the last step. */
export const formResult = (
  { subject, answers }: FormOverlay,
  columns: number,
): readonly { readonly text: string; readonly isWarning: boolean }[] =>
  (formOf(subject).result(answers) ?? []).flatMap((line) =>
    wrapIndented([resultText(line)], columns).map((text) => ({ text, isWarning: typeof line !== 'string' })),
  );

/** Lines as wide as a form, with their indentation. */
export const wrapIndented = (lines: readonly string[], columns: number): readonly string[] =>
  lines.flatMap((line) => {
    const indent = line.startsWith(' ') ? '  ' : '';
    const rows = wrap(safe(line).trim(), formWidth(columns) - 4 - 2 * indent.length);
    return rows.map((row, index) => (index === 0 ? indent : indent + indent) + row);
  });

/** How far the cursor of the present step moves: items, or first lines of the result. */
export const formLength = (
  overlay: FormOverlay,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): number =>
  formQuestion(overlay) === null
    ? Math.max(1, formResult(overlay, columns).length - formRoom(rows) + 1)
    : formItems(overlay).length;
