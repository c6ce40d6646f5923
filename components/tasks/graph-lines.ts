import { leftOut } from '../../src/graph/beyond.ts';
import { coneOf } from '../../src/graph/cones.ts';
import { beforeTitle, foldedLabel, hasTime, idCells, leastTitle } from '../../src/graph/drawn-shape.ts';
import type { Drawn } from '../../src/graph/layout.ts';
import { type LineTone, paintRows, type Run, type Stroke } from '../../src/graph/paint.ts';
import { formatElapsed, formatSince, formatWait, type LocalTime } from '../../src/words/local-time.ts';
import type { TaskLook } from '../../src/words/task-status.ts';
import { truncate, truncateMiddle, widthOf, wrap } from '../../src/words/width.ts';
import { cutLine, markBeyond } from '../draw/cut-drawing.ts';
import type { Tone } from '../draw/palettes.ts';
import { blank, type Line, onGround, type Span, span } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import type { GraphView } from './select-graph.ts';
import type { TaskLine } from './select-tasks.ts';
import { type Spinner, spun } from './spinner.ts';

interface GraphLook {
  readonly lines: ReadonlyMap<string, TaskLine>;
  readonly now: LocalTime;
  readonly width: number;
  readonly theme: Theme;
  readonly focused: boolean;
  readonly spinner: Spinner | null;
}

interface Look extends GraphLook {
  readonly graph: GraphView;
  readonly out: ReturnType<typeof leftOut>;
}

/** The rows of a drawn graph in sight: what the chosen task waits for in one tone, what waits for it in another; else the longest chain heavy. */
export const graphLines = (graph: GraphView, given: GraphLook): readonly Line[] => {
  const { layout, top, left, rows } = graph;
  const { width, theme } = given;
  const look = { ...given, graph, out: leftOut(graph.shape, layout) };
  const indent = ' '.repeat(Math.max(0, Math.floor((width - layout.width) / 2)));
  const above = layout.height + 2 <= rows ? [blank] : [];
  const strokes = {
    edge: (edge: Drawn) => edgeStroke(edge, look),
    frame: (id: string) => frameStroke(id, look),
    ascii: theme.options.ascii,
  };
  const drawn = paintRows(layout, strokes, top, rows).map((runs): Line => {
    const line = runs.flatMap((run) => drawRun(run, look));
    return [{ text: indent, target: null }, ...cutLine(line, left, width - indent.length, theme)];
  });
  const body = [...above, ...markBeyond(drawn, graph.beyond, width, theme)];
  return [...body, ...Array.from({ length: Math.max(0, rows - body.length) }, () => blank)];
};

const edgeStroke = (edge: Drawn, { graph: { at, cones, chain, members }, lines }: Look): Stroke => {
  const dashed = edge.against;
  const cone = cones === null || at === null ? null : coneOf(cones, at, edge);
  if (cone !== null) return { tone: cone, heavy: true, dashed };
  if (edge.against) return { tone: 'cycle', heavy: false, dashed };
  const isChained = cones === null && chain.has(`${edge.blocker} ${edge.task}`);
  const isMet = members.has(edge.blocker) || lines.get(edge.blocker)?.look === 'done';
  return { tone: isChained ? 'chain' : isMet ? 'done' : 'edge', heavy: isChained, dashed };
};

/** A task that is done, at work, in need of a person or failed has a frame in the tone of that. */
const frameTones: { readonly [look in TaskLook]?: LineTone } = {
  done: 'done',
  running: 'now',
  reviewing: 'now',
  asks: 'asks',
  paused: 'held',
  failed: 'failed',
  unreachable: 'failed',
};

const frameStroke = (id: string, { graph, lines }: Look): Stroke => {
  if (id === graph.at) return { tone: 'chosen', heavy: true };
  if (graph.members.has(id)) return { tone: 'done', heavy: false };
  const line = lines.get(id);
  const isChained = graph.cones === null && line?.chain === true;
  return { tone: frameTones[line?.look ?? 'waiting'] ?? (isChained ? 'chain' : 'box'), heavy: false };
};

/** The tone of a line's meaning on the screen. */
export const lineTones: { readonly [tone in LineTone]: Tone } = {
  box: 'furniture',
  edge: 'furniture',
  done: 'done',
  cycle: 'failed',
  chain: 'chain',
  after: 'chain',
  before: 'accent',
  now: 'now',
  failed: 'failed',
  held: 'held',
  asks: 'needs-you',
  chosen: 'accent',
};

const drawRun = (run: Run, look: Look): Line => {
  if (run.kind === 'line') return [{ text: run.text, tone: lineTones[run.tone], target: null }];
  const [first = run.id] = look.graph.members.get(run.id) ?? [];
  const [mark, ...rest] = run.line === 0 ? label(run.id, run.width, look) : below(run, look);
  if (mark === undefined) return [];
  const line: Line = [{ ...mark, target: { kind: 'task', id: first } }, ...rest];
  if (run.id !== look.graph.at) return line;
  const ground = look.focused ? 'selection' : 'selection-weak';
  return line.map((piece) => onGround(piece, ground));
};

/** Cursor, glyph, id and time in exactly `width` cells. Marks at both ends stand for edges to tasks that are not drawn. */
const label = (id: string, width: number, look: Look): readonly Span[] => {
  const { graph, lines, theme, focused, out, spinner } = look;
  const at = id === graph.at;
  const folded = graph.members.get(id);
  const line = lines.get(id);
  const { glyph, tone } =
    theme.looks[folded === undefined ? (line?.look ?? 'waiting') : foldLook(folded, lines)];
  const name =
    folded === undefined
      ? truncateMiddle(id, idCells[graph.detail], theme.glyphs.ellipsis)
      : foldName(folded, lines);
  const room = Math.max(0, width - 4 - widthOf(name));
  const known = hasTime(graph.detail) && line !== undefined ? timeOf(line, look) : '';
  const time = widthOf(known) < room ? known : '';
  const words =
    folded === undefined && line !== undefined ? titleBeside(line, room - widthOf(time) - 1, look) : null;
  const fill = ' '.repeat(room - widthOf(time) - (words === null ? 0 : beforeTitle + widthOf(words.text)));
  const sign = line === undefined ? null : spun(spinner, id, line.look);
  const calm = line === undefined || calmLooks.includes(line.look);
  const before = out.before.has(id) ? theme.glyphs.beyond.left : ' ';
  const after = out.after.has(id) ? theme.glyphs.beyond.right : ' ';
  return [
    span(at ? theme.glyphs.cursor : before, focused ? 'accent' : 'secondary'),
    { text: `${sign ?? glyph} `, tone, bold: !calm },
    { text: name, tone: nameTone(id, look), bold: at || line?.look === 'asks' },
    ...(words === null ? [] : [span(' '.repeat(beforeTitle)), words]),
    span(`${fill}${time}`, timeTone(line, theme)),
    span(after, 'accent'),
  ];
};

/** In a box of one row, what needs attention in words, else the title: behind the id, as far as so many cells are free. */
const titleBeside = (line: TaskLine, free: number, { graph, theme }: Look): Span | null => {
  const isBeside =
    graph.detail === 'full' && graph.layout.form.boxed && graph.layout.boxes.get(line.id)?.lines === 1;
  const isWords = wordLooks.includes(line.look);
  const text = isWords ? line.brief : line.title;
  const room = free - beforeTitle;
  if (!isBeside || text === '' || text === line.id || (widthOf(text) > room && room < leastTitle))
    return null;
  return span(
    truncate(text, room, theme.glyphs.ellipsis),
    isWords ? theme.looks[line.look].tone : 'secondary',
  );
};

const doneOf = (members: readonly string[], lines: Look['lines']): readonly string[] =>
  members.filter((id) => lines.get(id)?.look === 'done');

const foldLook = (members: readonly string[], lines: Look['lines']): TaskLook =>
  doneOf(members, lines).length > 0 ? 'done' : (lines.get(members[0] ?? '')?.look ?? 'done');

/** Replaced and cancelled tasks fold too, and are not done. */
const foldName = (members: readonly string[], lines: Look['lines']): string => {
  const done = doneOf(members, lines).length;
  return done > 0 ? foldedLabel(done) : foldedLabel(members.length, 'over');
};

/** The state has its tone everywhere. Names outside of the chosen task's edges step back. */
const nameTone = (id: string, { graph, lines }: Look): Tone => {
  const look = lines.get(id)?.look ?? 'done';
  if (look === 'asks') return 'needs-you';
  const { cones } = graph;
  if (cones === null) return look === 'cancelled' || look === 'replaced' ? 'secondary' : 'text';
  const isLit = id === graph.at || cones.blockers.has(id) || cones.blocked.has(id);
  return isLit ? 'text' : 'secondary';
};

/** The rows below the first: what needs attention in words, else the title. The last one is cut, and ends in the time where the first has no room for it. */
const below = ({ id, width, line: row }: Extract<Run, { kind: 'task' }>, look: Look): readonly Span[] => {
  const { graph, lines, theme } = look;
  const line = lines.get(id);
  const members = graph.members.get(id);
  const words = line !== undefined && wordLooks.includes(line.look);
  const text = members?.join(', ') ?? (words ? line.brief : (line?.title ?? ''));
  const isLast = row === (graph.layout.boxes.get(id)?.lines ?? 1) - 1;
  const time = graph.detail === 'narrow' && line !== undefined && !words ? timeOf(line, look) : '';
  const room = width - 4 - (time === '' ? 0 : widthOf(time) + 1);
  const [first = '', ...more] = wrap(text, room).slice(row - 1);
  const cut = truncate(isLast ? [first, ...more].join(' ') : first, room, theme.glyphs.ellipsis);
  const tone = words ? theme.looks[line.look].tone : 'secondary';
  const fill = ' '.repeat(Math.max(0, width - 4 - widthOf(cut) - widthOf(time)));
  return [span('   '), span(cut, tone), span(fill), span(time, timeTone(line, theme)), span(' ')];
};

const calmLooks: readonly TaskLook[] = ['done', 'cancelled', 'waiting', 'replaced'];

/** States that say more than a task's title. */
const wordLooks: readonly TaskLook[] = [
  'asks',
  'failed',
  'again',
  'unreachable',
  'paused',
  'to-review',
  'reviewing',
  'commented',
];

/** A time that runs has the tone of its state. */
const timeTone = (line: TaskLine | undefined, theme: Theme): Tone =>
  line === undefined || line.since === null ? 'secondary' : theme.looks[line.look].tone;

/** In at most five cells, so that a drawing keeps its place while time passes; since when it waits for a person only where it has room. */
const timeOf = ({ since, tookMs, look }: TaskLine, { now }: Look): string => {
  if (since !== null) return look === 'asks' ? formatWait(since, now) : formatSince(since, now);
  return tookMs === null || look === 'waiting' || look === 'ready' ? '' : formatElapsed(tookMs);
};
