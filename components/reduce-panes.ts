import { keepChanges } from './changes/keep-changes.ts';
import { nextScope } from './changes/select-changes.ts';
import { wantedColumns } from './changes/select-window.ts';
import { otherLog } from './draw/log-view.ts';
import { otherThird, selectTasksForm } from './layout.ts';
import type { ReadAction } from './output/read-action.ts';
import { reduceLog } from './output/reduce-log.ts';
import { paneNamed } from './panes.ts';
import { nextTasksForm } from './ports/tasks-form.ts';
import { fromTheTop } from './reduce-move.ts';
import { lookForTask } from './tasks/move-in-graph.ts';
import { selectIsFolded } from './tasks/select-graph.ts';
import { nextSpan } from './timeline/select-timeline.ts';
import type { ViewState } from './view.ts';
import { withReading } from './with-reading.ts';
import { withUi } from './with-ui.ts';

/** The view after an action in the panes with text: Output, the filter of Tasks, Details, Changes. */
export const reducePanes = (view: ViewState, action: ReadAction): ViewState => {
  const { ui } = view;
  switch (action.type) {
    case 'read':
      return withReading(view, action.pane, action.change);
    case 'filtered':
      return paneNamed(action.pane).filter?.set(view, action.text) ?? view;
    case 'neighbours-toggled':
      return withUi(view, {
        tasks: { ...ui.tasks, neighbours: !ui.tasks.neighbours },
        tops: { ...ui.tops, tasks: null },
      });
    case 'tasks-form-turned': {
      const next = nextTasksForm(selectTasksForm(view), view.session?.mode === 'flow');
      return withUi(view, { tasks: { ...ui.tasks, as: next }, tops: { ...ui.tops, tasks: null } });
    }
    case 'folding-toggled':
      return withUi(view, {
        tasks: { ...ui.tasks, folded: !selectIsFolded(view) },
        tops: { ...ui.tops, tasks: null },
      });
    case 'task-looked-for':
      return lookForTask(view, action.text, action.by);
    case 'third-turned':
      return withUi(view, { third: otherThird(ui.third) });
    case 'timeline-zoomed':
      return withUi(view, { span: nextSpan(view, action.by) });
    case 'document-read':
      return withUi(view, { documents: { ...ui.documents, [action.key]: action.text } });
    case 'report-read':
      return withUi(view, { reports: { ...ui.reports, [action.key]: action.text } });
    case 'changes-read':
      return withUi(view, { changes: keepChanges(ui.changes, action.key, action.changes) });
    case 'files-edited':
      return withUi(view, { previews: {}, reports: {}, changes: {}, documents: {} });
    case 'scope-turned': {
      const { scope, attempt } =
        action.to === undefined ? nextScope(view) : { scope: action.to, attempt: null };
      const log = attempt === ui.log.attempt ? ui.log : otherLog(ui.log, attempt);
      return withReading(withUi(view, { scope, log }), 'changes', { at: null, top: null });
    }
    case 'columns-turned':
      return withReading(
        withUi(view, { columns: wantedColumns(view) === 'one' ? 'two' : 'one' }),
        'changes',
        {
          top: null,
        },
      );
    case 'attempt-chosen':
      return fromTheTop(withUi(view, { scope: 'attempt', log: reduceLog(view, action) }));
    default:
      return withUi(view, { log: reduceLog(view, action) });
  }
};
