import { selectChanges } from '../tasks/select-changes.ts';
import { copyTask } from './copy-task.ts';
import { type Pane, plainPane } from './pane.ts';
import { scrollText } from './scroll-text.ts';

/** The changes of the task's attempt or of the session, from git. */
export const changesPane = {
  ...plainPane,
  name: 'changes',
  title: 'Changes',
  short: 'Diff',
  kind: 'tab',
  ofTask: true,
  // Files change while the tab is hidden: asks git again.
  arrive: { changes: {} },
  copy: copyTask,
  move: (view, by) => scrollText(view, 'changes', selectChanges(view).lines.length + 2, by),
  open: () => 'Nothing opens here: {read.scope} changes between the task and the session',
} as const satisfies Pane<'changes'>;
