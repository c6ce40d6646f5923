import { memoiseLast } from '../src/base/memoise.ts';
import type { Frame } from '../src/graph/fit.ts';
import { selectSignals } from './mailbox/select-signals.ts';
import type { TasksForm, ThirdPane } from './ports/tasks-form.ts';
import { fitsDrawn, selectDrawing, sentenceRows } from './tasks/select-drawing.ts';
import { selectIdsWidth, selectTasksWidth } from './tasks/tasks-width.ts';
import type { PaneName, UiState, ViewState } from './view.ts';

/**
 * Places and sizes of the panes on a screen. `wide`: Tasks above Inbox, and the tabs above Processed · `narrow`: Inbox
 * and Processed become tabs · `single`: one pane at a time, also when zoomed (components/README.md, Order and space). A very wide screen has a third column.
 */
export interface Layout {
  readonly kind: 'wide' | 'narrow' | 'single';
  readonly columns: number;
  readonly rows: number;
  /** Columns of the left pane. The right pane has the rest, less the separator. */
  readonly left: number;
  readonly right: number;
  /** Columns of the third column: Details or Timeline above, Events below. 0 where there is none. */
  readonly third: number;
  /** Rows of the tabs and of Processed below them, their title lines included. */
  readonly top: number;
  readonly bottom: number;
  /** Rows of Tasks and of Inbox below it. */
  readonly tasks: number;
  readonly inbox: number;
  /** Rows of Events at the foot of the third column. */
  readonly events: number;
  /** The room into which Tasks draws the graph, if it does. */
  readonly drawing: Frame | null;
}

/** Rows outside of the panes: header, strip and now line above, the footer below. */
const frameRows = 4;

/** The layout of the screen of this view, which may have another size than it knows yet. */
export const selectLayout = (
  view: ViewState,
  columns = view.ui.size.columns,
  rows = view.ui.size.rows,
): Layout => layoutIn(view, { columns, rows });

const layoutIn = memoiseLast(
  (one: Size, other: Size) => one.columns === other.columns && one.rows === other.rows,
  (view: ViewState, { columns, rows }): Layout =>
    withDrawing(
      view,
      layoutOf(columns, rows, view.ui, {
        ...signalRows(view),
        tasks: selectTasksWidth(view),
        ids: selectIdsWidth(view),
        share: leftShare(view),
      }),
    ),
  2,
);

type Size = UiState['size'];

/** The layout with the room of the drawn graph, where a person chose it, or nobody chose a form and all of it fits. A pane is as wide as its drawing. */
const withDrawing = (view: ViewState, layout: Layout): Layout => {
  const { tasks, left: moved } = view.ui;
  if (tasks.as !== null && tasks.as !== 'graph') return layout;
  const both = layout.left + layout.right;
  const isFree = layout.kind === 'wide' && moved === null;
  const width = isFree ? Math.max(layout.left, mostDrawn(view, layout)) : layout.left;
  const frame = (rows: number): Frame => ({
    width: isFree ? width - 2 * leastMargin : width,
    height: rows - sentenceRows(view, rows),
  });
  // The same with and without the line of an empty Inbox: the focus must not change the form.
  const highest = layout.tasks + layout.inbox - 2;
  if (tasks.as === null && !(isRoomy(layout) && fitsDrawn(view, frame(highest)))) return layout;
  const drawing = frame(layout.tasks - 1);
  if (!isFree) return { ...layout, drawing };
  const { fitted } = selectDrawing(view, drawing);
  const needed = fitted.isWhole ? fitted.layout.width + 2 * drawingMargin : width;
  const left = Math.min(width, Math.max(leastLeft, needed));
  return { ...layout, left, right: both - left, drawing };
};

/**
 * A graph takes up to half of the screen, third column or not, or a little more where a person chose it, and leaves the tabs room to read. In a flow also
 * for the names of all tabs, where Tasks keeps its usual part beside them.
 */
const mostDrawn = (view: ViewState, { columns, left, right }: Layout): number => {
  const both = left + right;
  const share = view.ui.tasks.as === null ? 0.5 : 0.56;
  const most = Math.max(Math.floor(both * share), Math.min(Math.floor(columns / 2), both - allTabs));
  const beside = view.session?.mode === 'flow' ? both - allTabs : most;
  return beside < Math.floor(both * leftShare(view)) ? most : Math.min(most, beside);
};

/** Blank columns on each side of a drawing, and those that it has at least. */
const drawingMargin = 2;
const leastMargin = 1;

/** A smaller screen shows the graph by choice alone: its rows say more. */
const isRoomy = ({ columns, rows }: Layout): boolean => columns >= wideFrom.columns && rows >= wideFrom.rows;

const wideFrom = { columns: 100, rows: 30 };

/** The part of the left pane. Tasks of issues have long names, and wait for tasks with such names. */
const leftShare = ({ session }: ViewState): number => (session?.mode === 'flow' ? 0.47 : usualShare);

const usualShare = 0.39;

/** Rows that Inbox and Processed would fill, without their titles. */
const signalRows = (view: ViewState): Pick<Needs, 'inbox' | 'processed'> => {
  const { inbox, processed } = selectSignals(view);
  return { inbox: signalHeight * inbox.length, processed: signalHeight * processed.length };
};

/** A signal takes two rows: its words, and its effect. */
const signalHeight = 2;

/** How many signals fit into so many rows. */
export const signalsIn = (rows: number): number => Math.max(0, Math.floor(rows / signalHeight));

/** What the panes hold. */
interface Needs {
  /** Rows of Inbox and of Processed. */
  readonly inbox: number;
  readonly processed: number;
  /** Columns in which the list of tasks shows its titles. */
  readonly tasks: number;
  /** Columns in which it shows its ids. */
  readonly ids: number;
  /** The part of the columns that Tasks has at least. */
  readonly share: number;
}

/** Inbox and Processed take no row until there is a signal or the focus is there, then as many as they need: nothing takes rows to say nothing. */
const layoutOf = (
  columns: number,
  rows: number,
  ui: Pick<UiState, 'zoom' | 'left' | 'focus'>,
  needs: Needs,
): Layout => {
  const body = Math.max(1, rows - frameRows);
  if (ui.zoom || columns < 80 || rows < 24)
    return {
      kind: 'single',
      columns,
      rows,
      left: columns,
      right: columns,
      third: 0,
      ...{ top: body, bottom: 0, tasks: body, inbox: 0 },
      events: 0,
      drawing: null,
    };
  if (columns < wideFrom.columns || rows < wideFrom.rows) {
    const usual = Math.min(48, Math.floor((columns - 1) * 0.45));
    const left = movedTo(ui.left, columns) ?? Math.max(usual, Math.min(needs.ids, Math.floor(columns / 2)));
    return {
      kind: 'narrow',
      columns,
      rows,
      left,
      right: columns - left - 1,
      third: 0,
      ...{ top: body, bottom: 0, tasks: body, inbox: 0 },
      events: 0,
      drawing: null,
    };
  }
  const third =
    columns < thirdFrom ? 0 : Math.min(70, Math.floor(columns * 0.3), columns - leastLeft - namedTabs - 2);
  const rest = columns - (third === 0 ? 0 : third + 1);
  const wanted = Math.max(Math.floor((rest - 1) * needs.share), Math.min(needs.tasks, rest - 1 - leastTabs));
  const left = movedTo(ui.left, rest) ?? Math.max(leastLeft, Math.min(80, wanted));
  // A high screen shows more signals and events.
  const most = rows < highFrom ? Math.max(6, Math.floor(rows * 0.22)) : Math.min(20, Math.floor(rows * 0.3));
  const high = (pane: 'inbox' | 'processed'): number =>
    needs[pane] === 0 && ui.focus !== pane ? 0 : Math.min(most, 1 + needs[pane]);
  const [bottom, inbox] = [high('processed'), high('inbox')];
  const events = third === 0 ? 0 : most;
  return {
    kind: 'wide',
    columns,
    rows,
    left,
    right: rest - left - 1,
    third,
    top: body - bottom,
    bottom,
    tasks: body - inbox,
    inbox,
    events,
    drawing: null,
  };
};

/** Where a person put the line between two panes of these columns, so that both can still be read. */
const movedTo = (left: number | null, columns: number): number | null =>
  left === null ? null : Math.max(leastPane, Math.min(columns - 1 - leastPane, left));

const leastPane = 24;

/** Columns of the left pane at least, and those in which every tab has its name and the note beside them its place. */
const leastLeft = 46;

/**
 * Columns in which all tabs have their names, and no note: `1 Output 2 Changes … 6 Issues`, the brackets of the open one, a blank on either side and
 * the beginning of the rule (`components/frame/tab-names.ts`). A new tab adds its title and three.
 */
const allTabs = 62;

/** The same with the note beside them. */
const tabNote = 11;
const namedTabs = allTabs + tabNote;

/** The same without Issues. A list with long titles, and a graph that a person chose, leave them so many. */
const leastTabs = namedTabs - '6 Issues '.length;

/** Columns from which there is a third column, and rows from which the panes below are higher. */
export const thirdFrom = 160;
const highFrom = 45;

/** Whether the Tasks pane draws the graph. */
export const isDrawn = (view: ViewState): boolean => selectLayout(view).drawing !== null;

/** The form in which the Tasks pane shows its tasks. */
export const selectTasksForm = (view: ViewState): TasksForm =>
  view.ui.tasks.as ?? (isDrawn(view) ? 'graph' : 'waves');

/** The pane at the top of the third column: the chosen one, or the other one while its tab is open. `null` without that column. */
export const thirdPane = (
  ui: Pick<UiState, 'size' | 'third' | 'tab' | 'zoom' | 'left' | 'focus'>,
): ThirdPane | null => {
  if (layoutOf(ui.size.columns, ui.size.rows, ui, nothing).third === 0) return null;
  return ui.tab === ui.third ? otherThird(ui.third) : ui.third;
};

const nothing: Needs = { inbox: 0, processed: 0, tasks: 0, ids: 0, share: usualShare };

/** The other pane that the third column can show. */
export const otherThird = (pane: ThirdPane): ThirdPane => (pane === 'details' ? 'timeline' : 'details');

/** Rows of a pane without its title line. */
export const rowsOf = (layout: Layout, pane: PaneName): number => {
  if (layout.kind !== 'wide') return layout.top - 1;
  if (pane === 'tasks' || pane === 'inbox') return layout[pane] - 1;
  return (pane === 'processed' ? layout.bottom : layout.top) - 1;
};
