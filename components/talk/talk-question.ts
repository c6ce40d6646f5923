import { safe } from '../../src/base/safe.ts';
import { count } from '../../src/words/local-time.ts';
import { widthOf, wrap } from '../../src/words/width.ts';
import { editorLines } from '../draw/editor-lines.ts';
import { bold, cursorMark, type Line, rowFor, span } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { newLineKey } from '../keys/edit-keys.ts';
import { withKeys } from '../table.ts';
import type { ViewState } from '../view.ts';
import type { TalkOverlay } from './talk-view.ts';

/** The open question with its options and the field, in at most so many rows. `above`: what it is about, where that is longer: it ends the talk and can be scrolled. */
export const questionLines = (
  view: ViewState,
  { talk, label, cursor, editor }: TalkOverlay,
  width: number,
  most: number,
  theme: Theme,
): { readonly below: readonly Line[]; readonly above: readonly string[] } => {
  const { open } = talk;
  if (open === null)
    return { below: [[span(label === '' ? 'One moment.' : `${safe(label)} works.`, 'now')]], above: [] };
  const typed = editor.text !== '';
  const wrapped = (text: string): readonly string[] =>
    text.split('\n').flatMap((line) => (line === '' ? [] : wrap(safe(line), width)));
  const ask = wrap(safe(open.text), width).map((text): Line => [bold(text, 'needs-you')]);
  const field = editorLines(editor, width - 2, 4).map(
    (line, index): Line => [span(index === 0 ? '> ' : '  ', 'accent'), ...line],
  );
  const how = wrapped(answerWords(open));
  const free = most - ask.length - field.length - how.length - 1;
  const drawn = (whole: 'all' | 'chosen'): readonly Line[] =>
    optionLines(open.options, typed ? null : cursor, width, theme, whole);
  const all = drawn('all');
  const options = all.length <= free ? all : drawn('chosen');
  const left = Math.max(1, free + 1 - options.length);
  const help = wrapped(open.help);
  const isLong = help.length > left;
  const more = `${count(help.length, 'line')} above; {talk.page-up} and {talk.page-down} scroll.`;
  return {
    above: isLong ? open.help.split('\n').map(safe) : [],
    below: [
      ...ask,
      // Its first line names what the question is about.
      ...(isLong ? help.slice(0, 1) : help).map((text): Line => [span(text)]),
      ...(isLong ? [[span(withKeys(view, more), 'secondary')]] : []),
      ...how.map((text): Line => [span(text, 'secondary')]),
      ...options,
      ...field,
    ],
  };
};

/** How a question without options is answered. */
const answerWords = ({ kind, offered, optional }: NonNullable<TalkOverlay['talk']['open']>): string => {
  if (kind === 'choices') return `Numbers, separated by spaces${optional ? '; leave empty for none' : ''}.`;
  const more = kind === 'lines' ? `${newLineKey} starts a new line. ` : '';
  if (optional && offered === '') return `${more}Leave empty to skip.`;
  return kind === 'words' && offered !== '' ? `Leave empty for "${safe(offered)}".` : more;
};

/** The options, with their details in a column of their own, in one row each, which may be cut, but those that are shown `whole`. `at`: the chosen one. */
const optionLines = (
  options: NonNullable<TalkOverlay['talk']['open']>['options'],
  at: number | null,
  width: number,
  theme: Theme,
  whole: 'all' | 'chosen',
): readonly Line[] => {
  const longest = Math.max(
    0,
    ...options.map(({ label, detail }) => (detail === '' ? 0 : widthOf(safe(label)))),
  );
  const digits = String(options.length).length;
  const before = 2 + digits + longest + detailGap.length;
  const room = width - before;
  // Behind the mark of the cursor.
  const lead = ' '.repeat(1 + digits);
  return options.flatMap(({ label, detail }, index): readonly Line[] => {
    const here = index === at;
    const mark = cursorMark(here, theme);
    const isWhole = whole === 'all' || here;
    const isBeside = isWhole && room >= leastDetail && detail !== '';
    const [name = '', ...names] =
      isWhole && !isBeside ? wrap(safe(label), width - lead.length - 1) : [safe(label)];
    const [first = '', ...more] = isBeside ? wrap(safe(detail), room) : [safe(detail)];
    const fill = ' '.repeat(isBeside ? Math.max(0, longest - widthOf(name)) : 0);
    const isBelow = names.length > 0;
    const head: Line = [
      mark,
      span(`${String(index + 1).padStart(digits)} `, 'accent'),
      { text: name, bold: here },
      ...(first === '' || isBelow ? [] : [span(`${fill}${detailGap}${first}`, 'secondary')]),
    ];
    return [
      head,
      ...names.map((text): Line => [mark, { text: `${lead}${text}`, bold: here }]),
      ...(isBelow ? wrap(safe(detail), width - lead.length - 1) : more)
        .filter((text) => text !== '')
        .map((text): Line => [mark, span(`${isBelow ? lead : ' '.repeat(before - 1)}${text}`, 'secondary')]),
    ].map((line) => rowFor({ kind: 'item', item: index }, line));
  });
};

const detailGap = '  ';

/** Cells below which a column of details breaks every sentence. */
const leastDetail = 30;
