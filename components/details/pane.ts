import { selectLayout } from '../layout.ts';
import { type Pane, plainPane } from '../pane/pane.ts';
import { scrollText } from '../pane/scroll-text.ts';
import { copyTask } from '../tasks/copy-task.ts';
import { detailRows } from './text-rows.ts';

/** Everything known about the selected task. */
export const detailsPane = {
  ...plainPane,
  name: 'details',
  title: 'Details',
  short: 'Info',
  inLines: { word: 'tasks' },
  keys: ['read.earlier-attempt', 'read.later-attempt', 'look.open-in-editor', 'look.copy-text'],
  kind: 'tab',
  ofTask: true,
  followsTask: true,
  copy: copyTask,
  move: (view, by) => scrollText(view, 'details', detailRows(view, selectLayout(view).right).length, by),
  open: () => 'There is nothing to open here: {read.earlier-attempt} {read.later-attempt} choose an attempt',
} as const satisfies Pane<'details'>;
