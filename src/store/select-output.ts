import { type OutputLine, type OutputLog, outputKey } from './output-book.ts';
import { selectTask, selectTasks } from './select-tasks.ts';
import type { ViewState } from './view.ts';

/** Whose output the Output tab shows. */
export interface OutputSubject {
  readonly title: string;
  readonly log: OutputLog | null;
}

/** The chosen task's last attempt; while nothing is chosen, whatever the work is on, planning and librarian included. */
export const selectOutputSubject = (view: ViewState): OutputSubject => {
  const { followed, selected } = view.ui;
  const table = selectTasks(view);
  if (selected.tasks === null && followed !== null && !table.lines.has(followed))
    return { title: followed.replace(/-\d+$/, ''), log: view.output.logs.get(followed) ?? null };
  const task = selectTask(view);
  if (task === null) return { title: '', log: null };
  const attempt = table.lines.get(task)?.attempt ?? 0;
  const title = attempt > 1 ? `${task} attempt ${attempt}` : task;
  return { title, log: view.output.logs.get(outputKey(task, attempt)) ?? null };
};

/** The absolute numbers of the first line kept and of the line after the last. */
export const outputLength = (view: ViewState): { readonly first: number; readonly end: number } => {
  const log = selectOutputSubject(view).log;
  return log === null ? { first: 0, end: 0 } : { first: log.dropped, end: log.dropped + log.lines.length };
};

export interface OutputWindow {
  readonly title: string;
  readonly lines: readonly OutputLine[];
  /** Lines above that are no longer kept. */
  readonly dropped: number;
  /** Lines below the window; 0 while it follows. */
  readonly below: number;
  readonly following: boolean;
}

/** The lines to draw in `height` rows. A window that was scrolled stays on its lines while more arrives. */
export const selectOutputWindow = (view: ViewState, height: number): OutputWindow => {
  const { title, log } = selectOutputSubject(view);
  if (log === null) return { title, lines: [], dropped: 0, below: 0, following: true };
  const end = log.dropped + log.lines.length;
  const lastTop = Math.max(log.dropped, end - height);
  const top = Math.max(log.dropped, Math.min(view.ui.outputTop ?? lastTop, lastTop));
  const from = top - log.dropped;
  return {
    title,
    lines: log.lines.slice(from, from + height),
    dropped: log.dropped,
    below: Math.max(0, end - top - height),
    following: view.ui.outputTop === null,
  };
};
