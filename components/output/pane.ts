import { sessionPaths } from '../../src/session/paths.ts';
import { type Pane, plainPane } from '../pane/pane.ts';
import { copyTask } from '../tasks/copy-task.ts';
import { selectTasks } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';
import { withUi } from '../with-ui.ts';
import { moveInLog, scrollLog } from './reduce-log.ts';
import {
  selectBlock,
  selectCursor,
  selectOutputRows,
  selectOutputSubject,
  selectRaw,
} from './select-output.ts';

/** Whether Enter can fold or unfold a command's output. */
const foldable = (view: ViewState): boolean => {
  const at = selectRaw(view) ? null : selectCursor(view);
  return at !== null && selectBlock(view, at) !== null;
};

/** Whether the task can no longer start, unless a person retries it. */
const isOver = (view: ViewState, task: string): boolean => {
  const look = selectTasks(view).lines.get(task)?.look;
  return view.session?.state === 'COMPLETE' || look === 'unreachable' || look === 'cancelled';
};

/** Whether a log file is there: with the first thing printed. Of an older attempt that is not in memory only the file itself is shown. */
const hasLog = (view: ViewState): boolean => {
  const { log } = selectOutputSubject(view);
  if (log === null) return selectRaw(view);
  return log.dropped > 0 || log.lines.some(({ kind }) => kind === 'text' || kind === 'gap');
};

const nothingPrinted = (view: ViewState, title: string, tried: boolean): string => {
  if (tried) return isOver(view, title) ? `${title} printed nothing.` : `${title} has printed nothing yet.`;
  return isOver(view, title) ? 'Did not run.' : `${title} has not started yet.`;
};

/** The command under the cursor with its output. A note or a line outside of a command stands alone. */
const blockText = (view: ViewState): string | null => {
  const at = selectRaw(view) ? null : (selectCursor(view) ?? selectOutputRows(view).at(-1)?.no ?? null);
  const { log } = selectOutputSubject(view);
  if (at === null || log === null) return null;
  const head = selectBlock(view, at);
  const line = log.lines[(head ?? at) - log.dropped];
  const from = (head ?? at) - log.dropped;
  const until =
    line?.kind === 'command' ? (line.until ?? log.dropped + log.lines.length) - log.dropped : from + 1;
  return log.lines
    .slice(Math.max(0, from), until)
    .map((each) => (each.kind === 'command' && each.purpose !== 'tool' ? `$ ${each.text}` : each.text))
    .join('\n');
};

/** The attempt's output, in blocks or as its log file. */
export const outputPane = {
  ...plainPane,
  name: 'output',
  title: 'Output',
  short: 'Out',
  inLines: { word: 'logs' },
  keys: [
    'read.search',
    'look.open',
    'read.raw',
    'read.next-failure',
    'read.previous-failure',
    'read.next-match',
    'read.previous-match',
    'read.thoughts',
    'read.earlier-attempt',
    'read.later-attempt',
    'look.copy-text',
    'look.open-in-editor',
  ],
  kind: 'tab',
  followsTask: true,
  note: (view) => {
    const { title, earlierOf, ref } = selectOutputSubject(view);
    if (title === '' || ref === null) return title === '' ? [] : [{ text: title, tone: 'secondary' }];
    // The number first: a long id is cut.
    if (earlierOf !== null) return [{ text: `#${ref.attempt}/${earlierOf} ${ref.subject}`, tone: 'held' }];
    const text = ref.attempt > 1 ? `#${ref.attempt} ${ref.subject}` : title;
    return [{ text, tone: 'secondary' }];
  },
  empty: (view) => {
    if (selectRaw(view) || selectOutputRows(view).length > 0) return null;
    const { title, ref } = selectOutputSubject(view);
    if (title === '') return 'Nothing has run yet.';
    return nothingPrinted(view, title, ref !== null);
  },
  copy: (view) => {
    const task = copyTask(view);
    const { session } = view;
    const { title, ref } = selectOutputSubject(view);
    if (session === null || title === '') return task;
    // The output may belong to no task: planning, session review, Librarian.
    const text = blockText(view) ?? (ref === null || session.tasks.has(ref.subject) ? task.text : null);
    if (ref === null || !hasLog(view))
      return { text, path: null, why: nothingPrinted(view, title, ref !== null) };
    return {
      text,
      path: sessionPaths(session.workspace, session.session).log(ref.subject, ref.attempt),
    };
  },
  move: (view, by) =>
    withUi(view, {
      log: by === 'wheel-up' || by === 'wheel-down' ? scrollLog(view, by) : moveInLog(view, by),
    }),
  open: (view) => {
    if (foldable(view)) return [{ type: 'block-toggled' }];
    // The cursor may be on a line that does not fold.
    if (selectRaw(view)) return 'The raw log file has nothing to fold: {read.raw} shows blocks';
    return selectCursor(view) === null
      ? 'Nothing has run here yet'
      : 'There is nothing to fold on this line: {look.open} folds a command and what it printed';
  },
} as const satisfies Pane<'output'>;
