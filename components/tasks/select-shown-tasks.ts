import { memoise, memoiseLast } from '../../src/base/memoise.ts';
import type { TasksForm } from '../ports/tasks-form.ts';
import type { ViewState } from '../view.ts';
import { selectTask, selectTasks, type TaskLine, type TaskRow, type TaskTable } from './select-tasks.ts';

/** The rows of the Tasks pane: all tasks in waves or as a list, or those that the filter and the neighbourhood leave. */
interface ShownTasks {
  readonly rows: readonly TaskRow[];
  readonly ids: readonly string[];
  /** The filter in words. '' when nothing is hidden. */
  readonly narrowed: string;
}

/** Computed once per table, filter and centre: a key press in a list of 10,000 tasks must not visit each of them. */
export const selectShownTasks = (view: ViewState, as = view.ui.tasks.as ?? 'waves'): ShownTasks => {
  const table = formed(selectTasks(view), as);
  const { filter, neighbours } = view.ui.tasks;
  const centre = neighbours ? selectTask(view) : null;
  const words = filter.trim().toLowerCase();
  if (words === '' && centre === null) return { rows: table.rows, ids: table.ids, narrowed: '' };
  return narrowed(table, { words, centre });
};

const formed = (table: TaskTable, as: TasksForm): TaskTable =>
  as === 'list' ? asList(table) : as === 'waves' ? byIssue(table) : table;

/** The table by issue in a flow; other modes have waves. */
const byIssue = memoise(
  (table: TaskTable): TaskTable =>
    table.byIssue === table.rows
      ? table
      : {
          ...table,
          rows: table.byIssue,
          ids: table.byIssue.flatMap((row) => (row.kind === 'task' ? [row.id] : [])),
        },
);

/** The table in the order of definition, without its waves. */
const asList = memoise((table: TaskTable): TaskTable => {
  const rows = table.order.flatMap((id) => table.lines.get(id) ?? []);
  return { ...table, rows, ids: rows.map(({ id }) => id) };
});

interface Narrowing {
  readonly words: string;
  readonly centre: string | null;
}

const narrow = (table: TaskTable, { words, centre }: Narrowing): ShownTasks => {
  const near = centre === null ? null : neighboursOf(table, centre);
  const wanted = words.split(/\s+/).filter((word) => word !== '');
  const rows: TaskRow[] = [];
  const ids: string[] = [];
  let wave: TaskRow | null = null;
  for (const row of table.rows) {
    if (row.kind !== 'task') wave = row;
    else if ((near === null || near.has(row.id)) && fits(row, wanted)) {
      if (wave !== null) rows.push(wave);
      wave = null;
      rows.push(row);
      ids.push(row.id);
    }
  }
  const parts = [
    words === '' ? '' : `"${words}"`,
    centre === null ? '' : `around ${centre}`,
    `${ids.length} of ${table.total}`,
  ];
  return { rows, ids, narrowed: parts.filter((word) => word !== '').join(' · ') };
};

const narrowed = memoiseLast<TaskTable, Narrowing, ShownTasks>(
  (one, other) => one.words === other.words && one.centre === other.centre,
  narrow,
);

/** The shown tasks with all of these words, in the order of the rows. */
export const tasksWith = (view: ViewState, words: string): readonly string[] => {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const { lines } = selectTasks(view);
  return selectShownTasks(view).ids.filter((id) => {
    const line = lines.get(id);
    return wanted.length > 0 && line !== undefined && fits(line, wanted);
  });
};

/** Whether every word is in the status, the agent, the id or the title. */
const fits = (line: TaskLine, wanted: readonly string[]): boolean => {
  if (wanted.length === 0) return true;
  const text = `${line.id} ${line.title} ${line.look} ${line.word} ${line.agent ?? ''}`.toLowerCase();
  return wanted.every((word) => text.includes(word));
};

/** The task, its dependencies and its dependents, at any distance. */
const neighboursOf = ({ graph }: TaskTable, centre: string): ReadonlySet<string> => {
  const near = new Set([centre]);
  for (const edges of [graph.blockersOf, graph.dependantsOf]) {
    const seen = new Set([centre]);
    const open = [centre];
    for (let id = open.pop(); id !== undefined; id = open.pop())
      for (const next of edges.get(id) ?? [])
        if (!seen.has(next)) {
          seen.add(next);
          near.add(next);
          open.push(next);
        }
  }
  return near;
};
