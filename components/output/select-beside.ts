import { memoise } from '../../src/base/memoise.ts';
import { resetLog } from '../draw/log-view.ts';
import { selectTasks } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';
import { withUi } from '../with-ui.ts';
import { selectRaw } from './select-output.ts';
import { selectSearchWords } from './select-search.ts';

/** A task at work beside the followed one. */
export interface Beside {
  readonly task: string;
  /** The view as it is while this task is followed. */
  readonly view: ViewState;
}

/**
 * The other tasks at work, whose output shares the Output pane with the followed one. None while a person has chosen a task, reads, searches or
 * looks at the file.
 */
export const selectBeside = (view: ViewState): readonly Beside[] => {
  const { selected, followed, log } = view.ui;
  if (selected.tasks !== null || followed === null || !selectTasks(view).lines.has(followed)) return [];
  if (log.top !== null || log.at !== null || log.attempt !== null) return [];
  if (selectRaw(view) || selectSearchWords(view) !== '') return [];
  return othersAtWork(view);
};

const othersAtWork = memoise((view: ViewState): readonly Beside[] => {
  const { session, connection, ui } = view;
  if (session === null || connection === 'stopped') return [];
  const running = [...session.invocations.values()].flatMap(({ stage, task }) =>
    stage === 'running' && task !== null && task !== ui.followed ? [task] : [],
  );
  return [...new Set(running)].map((task) => ({
    task,
    view: withUi(view, { followed: task, log: resetLog(ui.log) }),
  }));
});

/** Fewer rows than this, title included, show nothing of a task's output. */
const leastRows = 5;

/** How many tasks beside the followed one have room in so many rows. */
export const besideIn = (rows: number): number => Math.max(0, Math.floor(rows / leastRows) - 1);

/** Rows of each part of a pane: an even share, but no more than it needs. What is left goes to those that need more, the first ones before. */
export const sharesOf = (needs: readonly number[], rows: number): readonly number[] => {
  const shares = needs.map(() => 0);
  let left = rows;
  for (let open = needs.length; left > 0 && open > 0; ) {
    const each = Math.max(1, Math.floor(left / open));
    open = 0;
    for (const [index, need] of needs.entries()) {
      const more = Math.min(each, need - (shares[index] ?? 0), left);
      shares[index] = (shares[index] ?? 0) + more;
      left -= more;
      if (need > (shares[index] ?? 0)) open += 1;
    }
  }
  return shares;
};
