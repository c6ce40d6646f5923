import { count, formatSince, type LocalTime } from '../../src/words/local-time.ts';
import { Lines } from '../draw/Lines.tsx';
import { bold, type Line, name, rowFor, type Span, span, widthOfLine } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { useTheme } from '../draw/theme-context.tsx';
import type { PaneProps } from '../pane/pane-props.ts';
import { withKeys } from '../table.ts';
import { selectTasks } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';
import { LogFile } from './LogFile.tsx';
import { drawRow } from './output-lines.ts';
import { selectAsking } from './select-asking.ts';
import { type Beside, besideIn, selectBeside, sharesOf } from './select-beside.ts';
import {
  type OutputWindow,
  selectBlock,
  selectCursor,
  selectOutputSubject,
  selectOutputWindow,
  selectRaw,
} from './select-output.ts';
import { selectSearchWords } from './select-search.ts';

/** The output of an attempt: one line per command with its end, its output below. Keeps its place while read; follows at the end. */
export const OutputPane = (props: PaneProps) =>
  selectRaw(props.view) ? <LogFile {...props} /> : <Blocks {...props} />;

const Blocks = ({ view, now, width, height, focused }: PaneProps) => {
  const theme = useTheme();
  // Away from the end one row shows "N new lines", during a search its matches.
  const search = selectSearchWords(view);
  const foot = view.ui.log.top !== null || search !== '';
  const room = Math.max(1, height - (foot ? 1 : 0));
  const look = { now, width, room, theme, focused };
  const others = selectBeside(view).slice(0, besideIn(height));
  if (others.length > 0) return <Lines lines={shared(view, others, look)} width={width} height={height} />;
  const { lines, shown } = blockLines(view, look);
  const fill = Array.from({ length: room - lines.length }, (): Line => []);
  return (
    <Lines
      lines={foot ? [...lines, ...fill, footLine(view, shown, search)] : lines}
      width={width}
      height={height}
    />
  );
};

interface BlocksLook {
  readonly now: LocalTime;
  readonly width: number;
  readonly room: number;
  readonly theme: Theme;
  readonly focused: boolean;
}

const blockLines = (
  view: ViewState,
  { now, width, room, theme, focused }: BlocksLook,
): { readonly lines: readonly Line[]; readonly shown: OutputWindow } => {
  const away = view.ui.log.top !== null;
  const shown = selectOutputWindow(view, room);
  const cursor = focused ? selectCursor(view) : null;
  const marked = cursor !== null && !away ? selectBlock(view, cursor) : cursor;
  const look = {
    view,
    now,
    width,
    room,
    theme,
    log: selectOutputSubject(view).log,
    wanted: view.ui.log.search?.text.toLowerCase() ?? '',
    stopped: view.connection === 'stopped',
    asking: selectAsking(view),
  };
  const newest = shown.following ? shown.rows.at(-1)?.no : undefined;
  const drawn = shown.rows.map((row) =>
    drawRow(row, { ...look, at: row.no === marked, newest: row.no === newest }).map((line) =>
      rowFor({ kind: 'line', line: row.no }, line),
    ),
  );
  return { lines: windowOf(drawn, shown, room, cursor), shown };
};

/** The ends of what the followed task and the others at work printed, each under its name: a click on another one follows it. */
const shared = (view: ViewState, others: readonly Beside[], look: BlocksLook): readonly Line[] => {
  const { lines: tasks } = selectTasks(view);
  const { room, width, theme, now } = look;
  const own = { task: view.ui.followed ?? '', lines: blockLines(view, look).lines };
  const beside = others.map(({ task, view: at }) => ({
    task,
    lines: blockLines(at, { ...look, focused: false }).lines.map((line) =>
      line.map((piece): Span => ({ ...piece, target: { kind: 'task', id: task } })),
    ),
  }));
  const parts = [own, ...beside];
  const shares = sharesOf(
    parts.map(({ lines }) => lines.length),
    room - parts.length,
  );
  const title = (task: string): Line => {
    const line = tasks.get(task);
    const state = theme.looks[line?.look ?? 'running'];
    const since = line?.since ? ` ${formatSince(line.since, now)}` : '';
    const left: Line = [
      span(`${theme.glyphs.rule} `, 'furniture'),
      name(task),
      span(' '),
      span(`${line?.word ?? ''}${since} `, state.tone),
    ];
    const rest = Math.max(0, width - widthOfLine(left));
    return rowFor({ kind: 'task', id: task }, [...left, span(theme.glyphs.rule.repeat(rest), 'furniture')]);
  };
  return parts.flatMap(({ task, lines }, index) => [
    title(task),
    ...lines.slice(lines.length - (shares[index] ?? 0)),
  ]);
};

const footLine = (view: ViewState, shown: OutputWindow, search: string): Line => {
  // The keys to reach a match, until the first jump.
  const matches = '{read.next-match} {read.previous-match} jump between matches';
  const place = shown.following ? (/ [1-9]\d*\+? match/.test(search) ? matches : '') : belowWords(shown);
  const gap = search === '' || place === '' ? '' : ' · ';
  return [
    bold(search === '' ? '' : ` ${search}`, 'held'),
    bold(`${gap === '' ? ' ' : gap}${withKeys(view, place)}`, 'accent'),
  ];
};

const belowWords = ({ below, fresh }: OutputWindow): string => {
  if (fresh > 0) return `${count(fresh, 'new line')} ↓ · {move.last} to follow`;
  return `${below > 0 ? `${below} more below` : 'the end'} · {move.last} to follow ↓`;
};

/** Wrapped lines may need more rows than the pane has. At the end the oldest rows go; elsewhere the window keeps the cursor visible. */
const windowOf = (
  drawn: readonly (readonly Line[])[],
  shown: OutputWindow,
  room: number,
  cursor: number | null,
): readonly Line[] => {
  if (shown.following) return drawn.flat().slice(-room);
  const at = shown.rows.findIndex((row) => row.no === cursor);
  const end = drawn.slice(0, at + 1).reduce((sum, rows) => sum + rows.length, 0);
  const from = Math.max(0, end - room);
  return drawn.flat().slice(from, from + room);
};
