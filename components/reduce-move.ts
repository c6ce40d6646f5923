import { pageOf } from './draw/page.ts';
import { selectLayout } from './layout.ts';
import { selectSignals } from './mailbox/select-signals.ts';
import { focusedPane, paneNamed, panes } from './panes.ts';
import { stepBy } from './step.ts';
import type { Move } from './ui-action.ts';
import type { PaneName, UiState, ViewState } from './view.ts';
import { withReading } from './with-reading.ts';
import { withUi } from './with-ui.ts';

/** The view after the cursor of the focused list, or the focused text, moved. */
export const moveInPane = (view: ViewState, by: Move): ViewState => {
  const moved = focusedPane(view).move(view, by);
  return moved.ui.selected.tasks === view.ui.selected.tasks ? moved : fromTheTop(moved);
};

/** The view after the wheel turned over a pane: the rows in sight move, the selection stays. */
export const turnWheel = (view: ViewState, pane: string, way: 'up' | 'down'): ViewState =>
  paneNamed(pane === 'right' ? view.ui.tab : pane).move(view, `wheel-${way}`);

/** Scrolls the texts about a task to their top, because another task is selected. */
export const fromTheTop = (view: ViewState): ViewState =>
  panes.reduce(
    (read, { name, ofTask }) => (ofTask ? withReading(read, name, { at: null, top: null }) : read),
    view,
  );

/** Focuses a pane. Deselects a signal that left its list, so that the list's keys act on a signal it shows. */
export const focusOn = (view: ViewState, focus: PaneName): ViewState => {
  const { selected } = view.ui;
  if (focus !== 'inbox' && focus !== 'processed') return withUi(view, { focus });
  const there = selectSignals(view)[focus].some(({ id }) => id === selected[focus]);
  return withUi(view, { focus, selected: there ? selected : { ...selected, [focus]: null } });
};

/** Opens a tab. In sight beside Tasks, what tells about the chosen task leaves the keys there: the next key may choose another one. */
export const showTab = (view: ViewState, tab: string): ViewState => {
  const { focus, tab: open } = view.ui;
  const { followsTask, arrive } = paneNamed(tab);
  const stays = focus === 'tasks' && followsTask && tab !== open && selectLayout(view).kind !== 'single';
  return withUi(view, { focus: stays ? 'tasks' : 'right', tab, ...arrive });
};

/** The target of a move on a screen of this size. */
export const step = (from: number, by: Move, length: number, ui: UiState): number =>
  stepBy(from, by, length, pageOf(ui.size.rows));
