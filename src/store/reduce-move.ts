import { layoutOf, rowsOf } from './layout.ts';
import { pageOf } from './page.ts';
import { moveInLog, resetLog, scrollLog, textRows } from './reduce-log.ts';
import { selectEvents, selectNextEvent } from './select-events.ts';
import { selectShownTasks } from './select-shown-tasks.ts';
import { selectChosenSignal, selectSignals } from './select-signals.ts';
import { selectTask } from './select-tasks.ts';
import { stepBy } from './step.ts';
import { textLength } from './text-rows.ts';
import type { Move } from './ui-action.ts';
import type { ListName, PaneName, UiState, ViewState } from './view.ts';
import { listTop } from './window-top.ts';
import { withUi } from './with-ui.ts';

/** The view after the cursor of the focused list, or the focused text, was moved. */
export const moveInPane = (view: ViewState, by: Move): ViewState => {
  const { ui } = view;
  switch (ui.focus) {
    case 'tasks': {
      const ids = selectShownTasks(view).ids;
      const at = ids.indexOf(selectTask(view) ?? '');
      return selectsTask(view, ids[step(at, by, ids.length, ui)] ?? null);
    }
    case 'inbox':
    case 'processed': {
      const ids = selectSignals(view)[ui.focus].map((row) => row.id);
      const at = ids.indexOf(selectChosenSignal(view, ui.focus) ?? '');
      return selectsSignal(view, ui.focus, ids[step(at, by, ids.length, ui)] ?? null);
    }
    case 'right':
      return scrollText(view, by);
  }
};

/** The view after the wheel turned over a pane: what is seen moves, what is selected stays. */
export const turnWheel = (view: ViewState, pane: PaneName, way: 'up' | 'down'): ViewState => {
  if (pane === 'right') return scrollText(view, `wheel-${way}`);
  const { ui } = view;
  const { count, at } = listOf(view, pane);
  const height = rowsOf(layoutOf(ui.size.columns, ui.size.rows, ui), pane);
  const top = listTop(ui.tops[pane], count, at, height);
  const next = Math.max(0, Math.min(count - height, stepBy(top, `wheel-${way}`, count, height)));
  return withUi(view, { tops: { ...ui.tops, [pane]: next } });
};

/** A signal that left its list meanwhile is chosen no more, so that the keys of the list act on what it shows. */
export const focusOn = (view: ViewState, focus: PaneName): ViewState => {
  const { selected } = view.ui;
  if (focus !== 'inbox' && focus !== 'processed') return withUi(view, { focus });
  const there = selectSignals(view)[focus].some(({ id }) => id === selected[focus]);
  return withUi(view, { focus, selected: there ? selected : { ...selected, [focus]: null } });
};

/** Another task is looked at: its log is read from the end. */
export const selectsTask = (view: ViewState, task: string | null): ViewState =>
  withUi(view, {
    selected: { ...view.ui.selected, tasks: task },
    tops: { ...view.ui.tops, tasks: null },
    log: task === selectTask(view) ? view.ui.log : resetLog(view.ui.log),
    detailsTop: 0,
  });

/** The signal under the cursor of its list. */
export const selectsSignal = (view: ViewState, list: 'inbox' | 'processed', id: string | null): ViewState =>
  withUi(view, {
    selected: { ...view.ui.selected, [list]: id },
    tops: { ...view.ui.tops, [list]: null },
  });

const listOf = (view: ViewState, list: ListName): { readonly count: number; readonly at: number } => {
  if (list === 'tasks') {
    const { rows } = selectShownTasks(view);
    const task = selectTask(view);
    return { count: rows.length, at: rows.findIndex((row) => row.kind === 'task' && row.id === task) };
  }
  const rows = selectSignals(view)[list];
  const chosen = selectChosenSignal(view, list);
  return {
    count: rows.length,
    at: Math.max(
      0,
      rows.findIndex((row) => row.id === chosen),
    ),
  };
};

const scrollText = (view: ViewState, by: Move): ViewState => {
  const { ui } = view;
  if (ui.tab === 'output') {
    const wheel = by === 'wheel-up' || by === 'wheel-down';
    return withUi(view, { log: wheel ? scrollLog(view, by) : moveInLog(view, by) });
  }
  if (ui.tab === 'events') {
    if (by !== 'wheel-up' && by !== 'wheel-down')
      return withUi(view, { eventsAt: selectNextEvent(view, by, pageOf(ui.size.rows)), eventsTop: null });
    const { count, top } = selectEvents(view, textRows(ui));
    const lastTop = Math.max(0, count - textRows(ui));
    const to = Math.min(lastTop, stepBy(top, by, count, 1));
    return withUi(view, { eventsTop: to === lastTop && ui.eventsAt === null ? null : to });
  }
  const length = textLength(view) - textRows(ui);
  return withUi(view, {
    detailsTop: stepBy(Math.min(ui.detailsTop, length), by, Math.max(1, length), textRows(ui)),
  });
};

/** Where a move leads on a screen of this size. */
export const step = (from: number, by: Move, length: number, ui: UiState): number =>
  stepBy(from, by, length, pageOf(ui.size.rows));
