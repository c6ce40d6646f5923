import { wrap } from '../../src/words/width.ts';
import { editorLines } from '../draw/editor-lines.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import type { Tone } from '../draw/palettes.ts';
import { blank, cursorMark, type Line, rowFor, span } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { windowTop } from '../draw/window-top.ts';
import {
  type FormOverlay,
  formItems,
  formLow,
  formPlace,
  formProblem,
  formQuestion,
  formResult,
  formRoom,
  formTicked,
  formTitle,
  formWidth,
  wrapIndented,
} from './form-view.ts';

/** The questions of a form, one a step, and what the answers come to. */
export const Form = ({ overlay, hints, columns, rows }: OverlayProps<'form'>) => {
  const theme = useTheme();
  const question = formQuestion(overlay);
  const body = bodyOf(overlay, question, { columns, room: formRoom(rows), theme });
  return (
    <Modal
      title={formTitle(overlay)}
      lines={[...body, blank, [span(placeOf(overlay, question), 'secondary')]]}
      hints={hints}
      columns={columns}
      rows={rows}
      width={formWidth(columns)}
    />
  );
};

type Question = NonNullable<ReturnType<typeof formQuestion>>;
type Item = ReturnType<typeof formItems>[number];

interface Room {
  readonly columns: number;
  /** Rows of a list or text. */
  readonly room: number;
  readonly theme: Theme;
}

const bodyOf = (overlay: FormOverlay, question: Question | null, room: Room): readonly Line[] => {
  if (question === null) return resultLines(overlay, room);
  if (question.kind === 'words') return wordsLines(overlay, question, room);
  return question.about === undefined
    ? listLines(overlay, room)
    : [...aboutLines(question.about, room), ...listLines(overlay, { ...room, room: 2 })];
};

const placeOf = (overlay: FormOverlay, question: Question | null): string => {
  const ticked = formTicked(overlay);
  const { count, isFolded } = formLow(overlay);
  const chosen = ticked?.length ?? `nothing chosen${question?.skipped ? `, ${question.skipped}` : ''}`;
  return [
    formPlace(overlay),
    ...(question?.kind === 'choices' ? [ticked === null ? chosen : `${chosen} chosen`] : []),
    ...(isFolded && count > 0
      ? [`${count} low-severity ${count === 1 ? 'finding' : 'findings'} hidden`]
      : []),
  ].join(' · ');
};

/** The items, with a mark for each ticked one where several can be, and the detail of the item under the cursor. */
const listLines = (overlay: FormOverlay, { columns, room, theme }: Room): readonly Line[] => {
  const items = formItems(overlay);
  const top = windowTop(items.length, overlay.cursor, room);
  const ticked = formTicked(overlay) ?? [];
  const marked = formQuestion(overlay)?.kind === 'choices';
  const lines = items.slice(top, top + room).map((item, index): Line => {
    const here = top + index === overlay.cursor;
    const isTicked = ticked.includes(item.id);
    const mark = isTicked ? theme.glyphs.chosen : theme.glyphs.unchosen;
    return rowFor({ kind: 'item', item: top + index }, [
      cursorMark(here, theme),
      ...(marked ? [span(`${mark} `, isTicked ? 'done' : 'secondary')] : []),
      ...severityOf(item),
      { text: item.label, bold: here },
    ]);
  });
  const detail = wrap(items[overlay.cursor]?.detail ?? '', formWidth(columns) - 5);
  const shown = detail.slice(0, lines.length < room ? 3 : 2);
  return [...lines, blank, ...shown.map((text): Line => [span(` ${text}`, 'secondary')])];
};

const tones: { readonly [severity in NonNullable<Item['severity']>]: Tone } = {
  critical: 'failed',
  high: 'held',
  medium: 'text',
  low: 'secondary',
};

const severityOf = ({ severity }: Item): Line =>
  severity ? [span(severity.toUpperCase().padEnd(9), tones[severity])] : [];

const aboutLines = ([first = '', ...rest]: readonly string[], { columns, room }: Room): readonly Line[] => {
  const all = wrapIndented(rest, columns);
  const height = Math.max(1, room - 4);
  const shown = all.slice(0, all.length > height ? height - 1 : height);
  const hidden = all.length - shown.length;
  return [
    [span(first)],
    ...shown.map((text): Line => [span(text, toneOf(text))]),
    ...(hidden > 0 ? [[span(`… ${hidden} more lines`, 'secondary')]] : []),
    blank,
  ];
};

const wordsLines = (overlay: FormOverlay, { help }: Question, { columns }: Room): readonly Line[] => {
  const inner = formWidth(columns) - 4;
  const problem = formProblem(overlay);
  return [
    ...wrap(help, inner).map((text): Line => [span(text, 'secondary')]),
    blank,
    ...editorLines(overlay.editor, inner, 3),
    // Enter does nothing until it is right.
    ...(problem === null ? [] : wrap(problem, inner)).map((text): Line => [span(text, 'failed')]),
  ];
};

const resultLines = (overlay: FormOverlay, { columns, room }: Room): readonly Line[] => {
  const all = formResult(overlay, columns);
  const top = Math.max(0, Math.min(overlay.cursor, all.length - room));
  const below = all.length - top - room;
  return [
    ...all
      .slice(top, top + room)
      .map(({ text, isWarning }): Line => [span(text, isWarning ? 'held' : toneOf(text))]),
    ...(all.length <= room ? [] : [[span(below > 0 ? `↓ ${below} more lines` : 'the end', 'secondary')]]),
  ];
};

/** A heading has no indentation. */
const toneOf = (text: string): Tone => (text.startsWith(' ') ? 'text' : 'accent');
