import { leftOut } from '../../src/graph/beyond.ts';
import { isInCones } from '../../src/graph/cones.ts';
import { foldedLabel, idCells } from '../../src/graph/drawn-shape.ts';
import type { Drawn } from '../../src/graph/layout.ts';
import { type LineTone, paintRows, type Run, type Stroke } from '../../src/graph/paint.ts';
import { type GraphView, selectGraph } from '../../src/store/tasks/select-graph.ts';
import { selectTasks, type TaskLine } from '../../src/store/tasks/select-tasks.ts';
import { formatWorked, type LocalTime } from '../../src/words/local-time.ts';
import { truncateMiddle, widthOf } from '../../src/words/width.ts';
import type { Tone } from '../palettes.ts';
import { cutLine, markBeyond } from '../parts/cut-drawing.ts';
import { Lines } from '../parts/Lines.tsx';
import type { PaneProps } from '../parts/pane-props.ts';
import { blank, type Line, type Span, span } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';
import type { Theme } from '../theme.ts';

/** The drawn graph: what blocks the chosen task and what it blocks heavy, else the longest chain. */
export const TaskGraph = ({ view, now, width, height, focused }: PaneProps) => {
  const theme = useTheme();
  const graph = selectGraph(view);
  const { layout, top, left, rows } = graph;
  const { lines } = selectTasks(view);
  const indent = ' '.repeat(Math.min(3, Math.max(0, Math.floor((width - layout.width) / 2))));
  const above = layout.height + 2 <= rows ? [blank] : [];
  const look: Look = {
    graph,
    lines,
    now,
    theme,
    focused,
    marked: graph.at !== null && isMarked(view, graph),
    out: leftOut(graph.shape, layout),
  };
  const strokes = {
    edge: (edge: Drawn) => edgeStroke(edge, graph),
    frame: frameOf(look),
    ascii: theme.options.ascii,
  };
  const drawn = paintRows(layout, strokes, top, rows).map((runs): Line => {
    const line = runs.flatMap((run) => drawRun(run, look));
    return [{ text: indent, target: null }, ...cutLine(line, left, width - indent.length, theme)];
  });
  const body = [...above, ...markBeyond(drawn, graph.beyond, width, theme)];
  const filler = Array.from({ length: Math.max(0, rows - body.length) }, () => blank);
  const told = graph.sentences.map(({ text, tone }): Line => [span(` ${text}`, tone)]);
  return <Lines lines={[...body, ...filler, ...told]} width={width} height={height} />;
};

interface Look {
  readonly graph: GraphView;
  readonly lines: ReadonlyMap<string, TaskLine>;
  readonly now: LocalTime;
  readonly theme: Theme;
  readonly focused: boolean;
  /** Whether the task under the cursor is marked: chosen, or followed. */
  readonly marked: boolean;
  readonly out: ReturnType<typeof leftOut>;
}

/** No task is marked while none is at work and none is selected. */
const isMarked = ({ ui }: PaneProps['view'], { at, members }: GraphView): boolean => {
  const own = members.get(at ?? '') ?? [at];
  return own.some((id) => id === ui.selected.tasks || id === ui.followed);
};

const edgeStroke = (edge: Drawn, graph: GraphView): Stroke => ({
  ...toneOf(edge, graph),
  dashed: edge.against,
});

const toneOf = (edge: Drawn, { at, cones, chain }: GraphView): Stroke => {
  const chained = chain.has(`${edge.blocker} ${edge.task}`);
  if (cones !== null && at !== null && isInCones(cones, at, edge)) return { tone: 'cone', heavy: true };
  if (edge.against) return { tone: 'cycle', heavy: false };
  return chained ? { tone: 'chain', heavy: cones === null } : { tone: 'edge', heavy: false };
};

const frameOf =
  ({ graph, marked }: Look) =>
  (id: string): Stroke =>
    id === graph.at && marked ? { tone: 'chosen', heavy: true } : { tone: 'box', heavy: false };

const lineTones: { readonly [tone in LineTone]: Tone } = {
  box: 'furniture',
  edge: 'furniture',
  cycle: 'failed',
  chain: 'chain',
  cone: 'accent',
  chosen: 'accent',
};

const drawRun = (run: Run, look: Look): Line => {
  if (run.kind === 'line') return [{ text: run.text, tone: lineTones[run.tone], target: null }];
  const [first = run.id] = look.graph.members.get(run.id) ?? [];
  const [mark, ...rest] = label(run.id, run.width, look);
  return mark === undefined ? [] : [{ ...mark, target: { kind: 'task', id: first } }, ...rest];
};

/** Cursor, glyph, id and time in exactly `width` cells. Marks at both ends stand for edges to tasks that are not drawn. */
const label = (id: string, width: number, look: Look): readonly Span[] => {
  const { graph, lines, theme, focused, out } = look;
  const at = id === graph.at && look.marked;
  const folded = graph.members.get(id)?.length;
  const line = lines.get(id);
  const { glyph, tone } = theme.looks[folded === undefined ? (line?.look ?? 'waiting') : 'done'];
  const time = graph.detail === 'full' && line !== undefined ? timeOf(line, look) : '';
  const name =
    folded === undefined
      ? truncateMiddle(id, idCells[graph.detail], theme.glyphs.ellipsis)
      : foldedLabel(folded);
  const fill = ' '.repeat(Math.max(0, width - 4 - widthOf(name) - widthOf(time)));
  const lit = graph.cones === null || at || graph.cones.blockers.has(id) || graph.cones.blocked.has(id);
  const calm = line === undefined || calmLooks.includes(line.look);
  const before = out.before.has(id) ? theme.glyphs.beyond.left : ' ';
  const after = out.after.has(id) ? theme.glyphs.beyond.right : ' ';
  return [
    span(at ? theme.glyphs.cursor : before, focused ? 'accent' : 'secondary'),
    { text: `${glyph} `, tone: lit ? tone : 'secondary', bold: lit && !calm },
    { text: name, tone: !lit || (calm && graph.cones === null) ? 'secondary' : 'text', bold: at },
    span(`${fill}${time}`, line === undefined || line.since === null ? 'secondary' : 'text'),
    span(after, 'accent'),
  ];
};

const calmLooks: readonly TaskLine['look'][] = ['done', 'cancelled', 'waiting', 'replaced'];

/** In at most five cells, so that a drawing keeps its place while time passes. */
const timeOf = ({ since, tookMs, look }: TaskLine, { now }: Look): string => {
  if (since !== null) return formatWorked(now.ms - Date.parse(since));
  return tookMs === null || look === 'waiting' || look === 'ready' ? '' : formatWorked(tookMs);
};
