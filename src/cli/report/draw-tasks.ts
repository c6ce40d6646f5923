import { createTheme } from '../../../components/draw/theme.ts';
import { safe } from '../../base/safe.ts';
import { fitGraph } from '../../graph/fit.ts';
import { paintRows } from '../../graph/paint.ts';
import { buildGraph } from '../../tasks/graph.ts';
import { longestChain } from '../../tasks/longest-chain.ts';
import type { TaskLook } from '../../words/task-status.ts';
import { widthOf } from '../../words/width.ts';
import type { TaskRow } from './task-rows.ts';

/** Larger graphs are printed as waves: nobody reads a drawing of so many pages. */
const mostDrawn = 300;

/**
 * The task graph in box-drawing characters, one string per row: the longest chain of remaining tasks heavy. `null` when it is wider than
 * `columns`, or has too many tasks.
 */
export const drawTasks = (
  rows: readonly TaskRow[],
  { columns, ascii }: { readonly columns: number; readonly ascii: boolean },
): readonly string[] | null => {
  if (rows.length > mostDrawn) return null;
  const byId = new Map(rows.map((row) => [row.id, row]));
  const graph = buildGraph(rows.map(({ id, blockedBy }) => ({ id, blockedBy, replaced_by: [] })));
  const shape = {
    ids: [...rows].sort((a, b) => a.wave - b.wave).map(({ id }) => id),
    waveOf: new Map(rows.map(({ id, wave }) => [id, wave - 1])),
    blockersOf: graph.blockersOf,
  };
  const { layout } = fitGraph(shape, (id) => widthOf(safe(id)) + 2, {
    width: columns,
    height: Number.POSITIVE_INFINITY,
  });
  if (layout.width > columns) return null;
  const left = (id: string): boolean => {
    const row = byId.get(id);
    return row !== undefined && row.status !== 'done' && row.unreachable === null;
  };
  const chain = longestChain(graph, left);
  const heavy = new Set(chain.slice(1).map((id, index) => `${chain[index]} ${id}`));
  const { looks } = createTheme({ colours: 'none', ascii, background: 'dark' });
  const label = (id: string, width: number): string => {
    const text = ` ${looks[lookOf(byId.get(id))].glyph} ${safe(id)}`;
    return text + ' '.repeat(Math.max(0, width - widthOf(text)));
  };
  return paintRows(
    layout,
    {
      edge: ({ blocker, task, against }) => ({
        tone: 'edge',
        heavy: heavy.has(`${blocker} ${task}`),
        dashed: against,
      }),
      frame: () => ({ tone: 'box', heavy: false }),
      ascii,
    },
    0,
    layout.height,
  ).map((runs) =>
    runs
      .map((run) => (run.kind === 'line' ? run.text : label(run.id, run.width)))
      .join('')
      .trimEnd(),
  );
};

const lookOf = (row: TaskRow | undefined): TaskLook => {
  if (row === undefined) return 'waiting';
  if (row.unreachable !== null) return 'unreachable';
  if (row.status === 'review') return 'to-review';
  if (row.status === 'open') return row.ready ? 'ready' : 'waiting';
  return row.status;
};

/** The graph for Graphviz: an edge leads from a blocker to its task. */
export const dotOf = (rows: readonly TaskRow[]): readonly string[] => [
  'digraph tasks {',
  '  rankdir=LR;',
  '  node [shape=box, style=rounded];',
  ...rows.map(({ id, status }) => `  ${quoted(id)} [label=${quoted(`${id} (${status})`)}];`),
  ...edgesOf(rows).map(([blocker, task]) => `  ${quoted(blocker)} -> ${quoted(task)};`),
  '}',
];

const quoted = (text: string): string => `"${safe(text).replace(/["\\]/g, '\\$&')}"`;

/** The graph for Mermaid. Nodes are numbered, because an id may be a word of Mermaid's own, such as `end`. */
export const mermaidOf = (rows: readonly TaskRow[]): readonly string[] => {
  const nodes = new Map(rows.map(({ id }, index) => [id, `t${index + 1}`]));
  const text = (value: string): string => safe(value).replaceAll('"', '#quot;');
  return [
    'flowchart LR',
    ...rows.map(({ id, status }) => `  ${nodes.get(id)}["${text(id)} (${status})"]`),
    ...edgesOf(rows).map(([blocker, task]) => `  ${nodes.get(blocker)} --> ${nodes.get(task)}`),
  ];
};

const edgesOf = (rows: readonly TaskRow[]): readonly (readonly [string, string])[] => {
  const known = new Set(rows.map(({ id }) => id));
  return rows.flatMap(({ id, blockedBy }) =>
    blockedBy.filter((blocker) => known.has(blocker)).map((blocker) => [blocker, id] as const),
  );
};
