import { count } from './moment.ts';
import { selectTasks } from './select-tasks.ts';
import type { ViewState } from './view.ts';

const shown = 10;

/** What is printed on the normal screen after leaving: how many tasks are done, then what went wrong, failures before what they made unreachable. */
export const selectSummary = (view: Pick<ViewState, 'session'>): readonly string[] => {
  const table = selectTasks(view);
  if (table.total === 0) return [];
  const lines = [...table.lines.values()];
  const bad = [
    ...lines.filter((line) => line.look === 'failed'),
    ...lines.filter((line) => line.look === 'unreachable'),
  ];
  const width = Math.max(0, ...bad.slice(0, shown).map((line) => line.id.length));
  return [
    `${table.done} of ${count(table.total, 'task')} done`,
    ...bad.slice(0, shown).map((line) => `${line.id.padEnd(width)}  ${line.word}`),
    ...(bad.length > shown ? [`and ${bad.length - shown} more: ralph-tui tasks`] : []),
  ];
};
