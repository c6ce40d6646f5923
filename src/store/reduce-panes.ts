import type { ReadAction } from './read-action.ts';
import { reduceLog } from './reduce-log.ts';
import type { ViewState } from './view.ts';
import { withUi } from './with-ui.ts';

/** The view after something in the panes one reads in: Output, Tasks' filter, Details, Changes. */
export const reducePanes = (view: ViewState, action: ReadAction): ViewState => {
  const { ui } = view;
  switch (action.type) {
    case 'tasks-filtered':
      return withUi(view, { tasks: { ...ui.tasks, filter: action.text }, tops: { ...ui.tops, tasks: null } });
    case 'neighbours-toggled':
      return withUi(view, {
        tasks: { ...ui.tasks, neighbours: !ui.tasks.neighbours },
        tops: { ...ui.tops, tasks: null },
      });
    case 'event-chosen':
      return withUi(view, { eventsAt: action.seq, eventsTop: null });
    case 'event-toggled': {
      const open = !(ui.eventsOpen && ui.eventsAt === action.seq);
      return withUi(view, { eventsAt: action.seq, eventsOpen: open, eventsTop: null });
    }
    case 'report-read':
      return withUi(view, { reports: { ...ui.reports, [action.key]: action.text } });
    case 'changes-read':
      return withUi(view, { changes: { ...ui.changes, [action.key]: action.changes } });
    case 'files-edited':
      return withUi(view, { previews: {}, reports: {}, changes: {} });
    case 'scope-turned':
      return withUi(view, { scope: ui.scope === 'task' ? 'session' : 'task', detailsTop: 0 });
    default:
      return withUi(view, { log: reduceLog(view, action) });
  }
};
