import { marked, safe, safeBlock } from '../../src/base/safe.ts';
import { list } from '../../src/base/sentence.ts';
import { count } from '../../src/words/local-time.ts';
import { unprovenAnswers } from '../../src/words/unproven.ts';
import { truncate, widthOf, wrap } from '../../src/words/width.ts';
import { changedLines } from '../changes/changed-lines.ts';
import { selectDecidedChanges } from '../changes/end-changes.ts';
import { conflictTitle, selectConflict } from '../compose/conflict-edit.ts';
import { editorLines } from '../draw/editor-lines.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { overlayRows } from '../draw/page.ts';
import { blank, cursorMark, type Line, rowFor, span } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { wordsFor } from '../question/answer-words.ts';
import {
  draftedAnswer,
  questionRule,
  questionTitle,
  selectChoices,
  selectQuestion,
  takesText,
} from '../question/select-question.ts';
import { choiceKey, withKeys } from '../table.ts';
import type { ViewState } from '../view.ts';

/** Rows of the answer in sight. A rejection may hold one comment per line. */
const mostFieldRows = 6;

/** Rows for the files that a question decides about, and those that the conflict of a merge has at least. */
const mostFiles = 8;
const leastConflict = 4;

/** An agent's question, or the gate of the plan: choose an option or type an answer. */
export const Answer = ({ view, overlay, hints, columns, rows }: OverlayProps<'answer'>) => {
  const theme = useTheme();
  const width = Math.min(80, columns - 4);
  const question = selectQuestion(view.session, overlay.request);
  const rule = questionRule(question);
  const options = optionLines(view, overlay, width, theme);
  const takesWords = takesText(question) || overlay.editor.text !== '';
  const fieldLabel = rule?.takesWords === false ? 'Message: ' : 'Or type: ';
  const files = unprovenAnswers(view.session, overlay.request).map(
    (text): Line => [
      span(text, 'needs-you'),
      span(withKeys(view, ' {answer.close}, then {decide.open}'), 'secondary'),
    ],
  );
  const field = editorLines(overlay.editor, width - 13, mostFieldRows);
  const words = wrap(
    safeBlock(question === null ? 'This question is no longer open.' : question.text),
    width - 4,
  ).map((line): Line => [span(line)]);
  // What else is in the dialog, with the blank lines between.
  const margin = rows < roomyRows ? [] : [blank];
  const conflicts = selectConflict(view.session, overlay.request);
  const known = words.length + options.length + files.length + field.length + 3 + 2 * margin.length;
  const free = overlayRows(rows) - known - (conflicts.length > 0 ? leastConflict : 0) - 2;
  // The places of a conflict come first.
  const changed =
    conflicts.length > 0 && free < 1
      ? []
      : changedLines(
          selectDecidedChanges(view, overlay.request),
          { room: Math.max(0, Math.min(mostFiles, free)), width: width - 4, rest: '' },
          theme,
        );
  const others = known + changed.length;
  const lines: readonly Line[] = [
    ...margin,
    ...words,
    blank,
    ...changed,
    ...placeLines(conflicts, width - 4, overlayRows(rows) - others),
    ...options,
    ...(options.length > 0 ? [blank] : []),
    ...files,
    ...(files.length > 0 ? [blank] : []),
    ...(takesWords ? field : []).map(
      (line, index): Line => [
        span(index === 0 ? fieldLabel : ' '.repeat(fieldLabel.length), 'secondary'),
        ...line,
        span(fieldHint(view, overlay), 'secondary'),
      ],
    ),
    ...(takesWords ? margin : []),
  ];
  return (
    <Modal
      tone="needs-you"
      title={question === null ? 'A question for you' : titleOf(view, question)}
      lines={lines}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};

const titleOf = ({ session }: ViewState, question: NonNullable<ReturnType<typeof selectQuestion>>): string =>
  safe(conflictTitle(session, question.request) ?? questionTitle(question));

/** The choices that take the words of the field, while it is empty; words that were written wait for them. */
const fieldHint = (view: ViewState, { request, editor }: OverlayProps<'answer'>['overlay']): string => {
  const question = selectQuestion(view.session, request);
  if (editor.text !== '' || questionRule(question)?.takesWords !== false) return '';
  const takers = selectChoices(question).flatMap(({ name, words }) =>
    words === undefined ? [] : [safe(name)],
  );
  const word = wordsFor(view, request) === '' ? 'sent with' : 'your words are kept for';
  return takers.length === 0 ? '' : `${word} ${list(takers, 3)}`;
};

/** The choices with their digits. The one that Enter sends is marked. */
const optionLines = (
  view: ViewState,
  overlay: OverlayProps<'answer'>['overlay'],
  width: number,
  theme: Theme,
): readonly Line[] => {
  const question = selectQuestion(view.session, overlay.request);
  const choices = selectChoices(question);
  const drafted = draftedAnswer(question, overlay);
  // Words alone are an answer: then no option is meant.
  const isInWords = drafted.kind === 'answer' && drafted.option === undefined;
  const named = drafted.kind === 'answer' ? choices.findIndex(({ id }) => id === drafted.option) : -1;
  const at = named < 0 ? overlay.cursor : named;
  const longest = Math.max(0, ...choices.map(({ name, label }) => (label === '' ? 0 : widthOf(safe(name)))));
  // In a field whose words are an answer the number is typed.
  const numberOf = (index: number): string =>
    questionRule(question)?.takesWords === true ? String(index + 1) : choiceKey(view, index);
  const tone = isInWords ? 'secondary' : 'text';
  return choices.flatMap(({ name, label }, index): readonly Line[] => {
    const here = index === at && !isInWords;
    const [first = '', ...more] = wrap(safe(label), Math.max(10, width - 9 - longest));
    const row = (line: Line): Line => rowFor({ kind: 'item', item: index }, line);
    return [
      row([
        cursorMark(here, theme),
        span(`${numberOf(index).padEnd(1)} `, isInWords ? 'secondary' : 'accent'),
        {
          text:
            label === ''
              ? safe(name)
              : `${safe(name)}${' '.repeat(Math.max(0, longest - widthOf(safe(name))))}`,
          bold: label === '' ? here : !isInWords,
          tone,
        },
        ...(label === '' ? [] : [span(`  ${first}`, tone)]),
      ]),
      ...more.map((line) => row([span(`${' '.repeat(longest + 5)}${line}`, tone)])),
    ];
  });
};

/** Rows from which the dialog has a blank one at its ends. */
const roomyRows = 30;

/** The conflicting places, each line with the option that takes it, in at most so many rows. */
const placeLines = (
  places: ReturnType<typeof selectConflict>,
  width: number,
  most: number,
): readonly Line[] => {
  const all = places.flatMap(({ path, line, session, task }): readonly Line[] => [
    [span(`${marked(path)}:${line}`)],
    ...sideLines('session', session, width),
    ...sideLines('task', task, width),
  ]);
  if (all.length === 0) return [];
  const left = all.length - Math.max(2, most);
  return left <= 0
    ? [...all, blank]
    : [
        ...all.slice(0, -left - 1),
        [span(`${count(left + 1, 'more line')}: the editor shows them`, 'secondary')],
        blank,
      ];
};

const sideLines = (side: 'session' | 'task', lines: readonly string[], width: number): readonly Line[] => {
  // Nothing is removed or added: neither side is the better one.
  const tone = side === 'session' ? 'accent' : 'chain';
  const name = (index: number): string => (index === 0 ? side.padEnd(7) : ' '.repeat(7));
  const texts = lines.length === 0 ? ['(nothing)'] : lines;
  return texts.map((text, index) => [
    span(`  ${name(index)} `, 'secondary'),
    span(truncate(marked(text), width - 11, '…'), tone),
  ]);
};
