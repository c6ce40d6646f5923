import { count } from '../../src/words/local-time.ts';
import { widthOf, wrap } from '../../src/words/width.ts';
import { changedLines } from '../changes/changed-lines.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { overlayRows } from '../draw/page.ts';
import { blank, bold, cursorMark, type Line, rowFor, span, spread } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { windowTop } from '../draw/window-top.ts';
import { wrapWords } from '../draw/wrap-line.ts';
import { withKeys } from '../table.ts';
import type { EndTask } from './end-tasks.ts';
import { type EndView, lessonsWaiting, selectEnd } from './select-end.ts';

/** The result of the session: how it ended, its tasks with the failed ones first, what changed, the lessons, and the next steps. */
export const End = ({ view, overlay, hints, columns, rows }: OverlayProps<'end'>) => {
  const theme = useTheme();
  const end = selectEnd(view);
  if (end === null) return null;
  const width = Math.min(110, columns - 4);
  const inner = width - 4;
  // A reason that is longer than the frame is shown whole below it.
  const fits = widthOf(end.title) <= inner - 4;
  const title: readonly Line[] = [
    ...(fits ? [] : wrap(end.title, inner).map((text): Line => [bold(text, end.tone)])),
    ...wrapWords(countsLine(end), inner),
  ];
  const waits = lessonsWaiting(view) > 0;
  const rest: readonly Line[] = [
    ...end.changes.flatMap((text) => wrapCommands(text, inner)).map((text): Line => [span(text)]),
    ...(end.lessons === null
      ? []
      : [[span(withKeys(view, end.lessons), waits ? 'needs-you' : 'text')] as const]),
    ...end.next
      .flatMap((text) => wrapCommands(withKeys(view, text), inner))
      .map((text): Line => [span(text, 'secondary')]),
  ];
  const hasFiles = end.changed.sentence !== '';
  // Title and next steps keep their place; the lists of tasks and files share the rows between.
  const room = Math.max(2, overlayRows(rows) - rest.length - title.length - (hasFiles ? 3 : 2) - 1);
  const tasks = taskWindow(end, overlay.cursor, inner, theme);
  const files = end.changed.files.length;
  const taskRows = Math.min(tasks.lines.length, Math.max(4, room - Math.min(files, Math.floor(room / 3))));
  const top = windowTop(tasks.lines.length, tasks.at + 1, taskRows);
  const lines: readonly Line[] = [
    ...title,
    blank,
    ...tasks.lines.slice(top, top + taskRows),
    ...(taskRows > 0 ? [lastLine(tasks.lines.slice(top + taskRows))] : []),
    ...changedLines(
      end.changed,
      { room: room - taskRows, width: inner, rest: withKeys(view, ': {end.changes} shows them') },
      theme,
    ),
    ...rest,
    blank,
  ];
  const tone =
    end.tone === 'failed' ? 'failed' : end.lessons?.includes('{end.review}') ? 'needs-you' : 'accent';
  return (
    <Modal
      tone={tone}
      title={fits ? end.title : end.heading}
      lines={lines}
      hints={hints}
      columns={columns}
      rows={rows}
      width={width}
    />
  );
};

const countsLine = ({ counts, tone }: EndView): Line =>
  counts.flatMap((each, index) => [...(index === 0 ? [] : [bold(' · ', tone)]), bold(each.text, each.tone)]);

/** The row below the tasks: a single one that is left stands there itself. */
const lastLine = (below: readonly Line[]): Line => {
  const [only = blank] = below;
  return below.length < 2 ? only : [span(`   ${count(below.length, 'more line')}`, 'secondary')];
};

/** Wrapped so that no printed command is broken: it is copied as it stands. */
const wrapCommands = (text: string, width: number): readonly string[] =>
  wrap(
    text.replace(/`[^`]*`/g, (command) =>
      widthOf(command) <= width ? command.replaceAll(' ', '\u00a0') : command,
    ),
    width,
  ).map((row) => row.replaceAll('\u00a0', ' '));

/** Tasks that are drawn on each side of the cursor: more than any screen shows. */
const near = 100;

/** The rows of the tasks around the cursor, and the row of the one under it. */
const taskWindow = (
  end: EndView,
  cursor: number,
  width: number,
  theme: Theme,
): { readonly lines: readonly Line[]; readonly at: number } => {
  const from = Math.max(0, cursor - near);
  const drawn = end.tasks.slice(from, cursor + near);
  const column = Math.min(32, Math.max(0, ...drawn.map(({ id }) => widthOf(id))));
  const all = drawn.map((task, index) => {
    const here = from + index === cursor;
    const lines = [
      taskLine(task, end, { here, column, width, theme }),
      ...failureLines(end, task.id, here, width),
    ];
    return lines.map((line) => rowFor({ kind: 'item', item: from + index }, line));
  });
  return { lines: all.flat(), at: all.slice(0, cursor - from).flat().length };
};

interface Look {
  readonly here: boolean;
  readonly column: number;
  readonly width: number;
  readonly theme: Theme;
}

const taskLine = (task: EndTask, end: EndView, { here, column, width, theme }: Look): Line => {
  const { command = '', isAsked = false } = end.failures.get(task.id) ?? {};
  const { glyph, tone } = theme.looks[isAsked ? 'again' : task.look];
  const isBad = task.look === 'failed' || task.look === 'unreachable';
  const failed = command === '' ? 'failed' : `failed: ${command}`;
  const words = isAsked
    ? `retry sent, ${failed}`
    : task.look === 'done'
      ? task.title
      : task.look === 'failed'
        ? failed
        : task.word;
  const left: Line = [
    cursorMark(here, theme),
    { text: `${glyph} `, tone, bold: isBad },
    { text: task.id.padEnd(column), bold: here, tone: isBad ? tone : 'text' },
    span(words === task.id ? '' : `  ${words}`, isBad ? tone : 'secondary'),
  ];
  return spread(left, [span(task.spent, 'secondary')], width, theme);
};

/** Why it failed; under the cursor with the last lines of its output. */
const failureLines = (end: EndView, task: string, here: boolean, width: number): readonly Line[] => {
  const failure = end.failures.get(task);
  if (failure === undefined) return [];
  return [
    ...wrap(failure.verdict, width - 4)
      .slice(0, here ? 3 : 1)
      .map((text): Line => [span(`    ${text}`)]),
    ...(here ? failure.tail.map((text): Line => [span(`    ${text}`, 'secondary')]) : []),
  ];
};
