import { assertNever } from '../base/assert-never.ts';
import { safe } from '../base/safe.ts';
import { type HeldBack, heldBack } from '../pipeline/dispatch.ts';
import type { Invocation, SessionState, TaskState } from '../pipeline/state.ts';
import { buildGraph, failedForGood, type Graph, type Standing, standing } from '../tasks/graph.ts';
import { longestChain } from './longest-chain.ts';
import { memoise } from './memoise.ts';
import type { ViewState } from './view.ts';

/** What a task is doing, finer than its mark in `progress.md`: one glyph, one colour and one word each. */
export type TaskLook =
  | 'ready'
  | 'waiting'
  | 'unreachable'
  | 'running'
  | 'paused'
  | 'to-review'
  | 'reviewing'
  | 'again'
  | 'done'
  | 'failed'
  | 'cancelled'
  | 'replaced';

/** A line of the Tasks pane. */
export type TaskRow =
  | {
      readonly kind: 'wave';
      readonly wave: number;
      readonly done: number;
      readonly total: number;
      readonly current: boolean;
    }
  | TaskLine;

export interface TaskLine {
  readonly kind: 'task';
  readonly id: string;
  readonly title: string;
  readonly look: TaskLook;
  /** The status in words: "running", "waits for task-2", "unreachable: task-4 failed". */
  readonly word: string;
  readonly attempt: number;
  readonly agent: string | null;
  /** Start of the attempt under way, or `null` when nothing runs. */
  readonly since: string | null;
  /** How long the last attempt took, once it ended. */
  readonly tookMs: number | null;
  readonly last: boolean;
  /** It is on the longest chain of what is left. */
  readonly chain: boolean;
  /** The task that was split into this one and others. */
  readonly partOf: string | null;
}

export interface TaskTable {
  readonly rows: readonly TaskRow[];
  /** Task ids in the order of the rows. */
  readonly ids: readonly string[];
  readonly lines: ReadonlyMap<string, TaskLine>;
  readonly graph: Graph;
  readonly standing: Standing;
  readonly done: number;
  readonly failed: number;
  readonly total: number;
  /** Tasks on the longest chain of what is left. */
  readonly chain: number;
}

/** The table of the Tasks pane; computed once per session state. */
export const selectTasks = (view: Pick<ViewState, 'session'>): TaskTable =>
  view.session ? tableOf(view.session) : noTasks;

/** The task the panes on the right show: the chosen one, else the one the work is on, else the first. */
export const selectTask = (view: ViewState): string | null => {
  const table = selectTasks(view);
  const { selected, followed } = view.ui;
  if (selected.tasks !== null && table.lines.has(selected.tasks)) return selected.tasks;
  if (followed !== null && table.lines.has(followed)) return followed;
  return table.ids[0] ?? null;
};

const tableOf = memoise((session: SessionState): TaskTable => {
  const states = [...session.tasks.values()];
  const graph = buildGraph(states.map((task) => task.definition));
  const now = standing(graph, session.tasks, session.settings.retries.max_attempts);
  const working = new Map<string, Invocation>();
  for (const invocation of session.invocations.values())
    if (invocation.task !== null && invocation.stage !== 'ended') working.set(invocation.task, invocation);
  const held = heldBack(session);
  const partOf = new Map(
    states.flatMap(({ definition }) => definition.replaced_by.map((part) => [part, definition.id] as const)),
  );
  const chain = new Set(
    longestChain(graph, (id) => !now.settled.has(id) && session.tasks.get(id)?.status !== 'done'),
  );
  const lines = new Map<string, TaskLine>();
  const rows: TaskRow[] = [];
  graph.waves.forEach((wave, index) => {
    const done = wave.filter((id) => session.tasks.get(id)?.status === 'done').length;
    rows.push({
      kind: 'wave',
      wave: index + 1,
      done,
      total: wave.length,
      current: inWaves(session) && session.wave === index + 1,
    });
    wave.forEach((id, place) => {
      const task = session.tasks.get(id);
      if (!task) return;
      const line = {
        ...lineOf(session, task, working.get(id), graph, now, held),
        last: place === wave.length - 1,
        chain: chain.size > 1 && chain.has(id),
        partOf: partOf.get(id) ?? null,
      };
      lines.set(id, line);
      rows.push(line);
    });
  });
  const done = states.filter((task) => task.status === 'done').length;
  const failed = states.filter((task) => task.status === 'failed').length;
  return {
    rows,
    ids: [...lines.keys()],
    lines,
    graph,
    standing: now,
    done,
    failed,
    total: states.length,
    chain: chain.size,
  };
});

/** Only while a wave is worked on is one of them the current one. */
const inWaves = ({ state }: SessionState): boolean =>
  state === 'EXECUTING_BATCH' || state === 'REVIEWING_BATCH' || state === 'BATCHING';

const lineOf = (
  session: SessionState,
  task: TaskState,
  invocation: Invocation | undefined,
  graph: Graph,
  now: Standing,
  held: Held,
): Omit<TaskLine, 'last' | 'chain' | 'partOf'> => {
  const id = task.definition.id;
  const { look, word } = statusOf(session, task, invocation, graph, now, held);
  const active = invocation?.stage === 'running';
  const since = active ? (invocation.role === 'Executor' ? task.startedAt : invocation.startedAt) : null;
  const ended = task.startedAt !== null && task.endedAt !== null;
  return {
    kind: 'task',
    id,
    title: safe(task.definition.title),
    look,
    word,
    attempt: task.attempt,
    agent: invocation?.backend ?? task.owner,
    since,
    tookMs: ended ? Date.parse(task.endedAt ?? '') - Date.parse(task.startedAt ?? '') : null,
  };
};

const statusOf = (
  session: SessionState,
  task: TaskState,
  invocation: Invocation | undefined,
  graph: Graph,
  now: Standing,
  held: Held,
): { readonly look: TaskLook; readonly word: string } => {
  const id = task.definition.id;
  if (graph.replaced.has(id))
    return { look: 'replaced', word: `split into ${task.definition.replaced_by.join(', ')}` };
  const unreachable = now.unreachable.get(id);
  if (unreachable !== undefined) return { look: 'unreachable', word: unreachableWord(unreachable) };
  switch (task.status) {
    case 'done':
      return { look: 'done', word: 'done' };
    case 'cancelled':
      return { look: 'cancelled', word: reasoned('cancelled', task.reason) };
    case 'running':
      return invocation?.stage === 'paused'
        ? { look: 'paused', word: 'paused' }
        : { look: 'running', word: 'running' };
    case 'review':
      if (invocation?.stage === 'paused') return { look: 'paused', word: 'review paused' };
      return invocation ? { look: 'reviewing', word: 'in review' } : { look: 'to-review', word: 'to review' };
    case 'failed':
      return failedForGood(task, session.settings.retries.max_attempts) || session.state === 'COMPLETE'
        ? { look: 'failed', word: reasoned('failed', task.reason) }
        : { look: 'again', word: `again, attempt ${task.attempt + 1} next` };
    case 'open':
      return session.state === 'COMPLETE'
        ? { look: 'waiting', word: 'not started' }
        : openStatus(task, now, held);
    default:
      return assertNever(task.status);
  }
};

const openStatus = (
  task: TaskState,
  now: Standing,
  held: Held,
): { readonly look: TaskLook; readonly word: string } => {
  const missing = now.waitingFor.get(task.definition.id);
  if (task.replan !== null) return { look: 'waiting', word: 'waits for the Planner' };
  if (missing !== undefined) return { look: 'waiting', word: `waits for ${missing.join(', ')}` };
  const back = held(task.definition);
  if (back !== null) return { look: 'waiting', word: `after ${back.by}: ${heldWord(back)}` };
  return task.attempt > 0
    ? { look: 'again', word: `again, attempt ${task.attempt + 1} next` }
    : { look: 'ready', word: 'ready' };
};

type Held = (task: TaskState['definition']) => HeldBack | null;

const heldWord = ({ files }: HeldBack): string =>
  files.length === 0 ? 'runs alone' : `both change ${safe(files.join(', '))}`;

/** "blocked by task-4, failed" reads as "unreachable: task-4 failed" in a row that says what it blocks. */
const unreachableWord = (reason: string): string =>
  `unreachable: ${safe(reason.replace(/^blocked by /, '').replace(', ', ' '))}`;

const reasoned = (word: string, reason: string | null): string =>
  reason === null || reason === '' ? word : `${word}: ${safe(reason)}`;

const noTasks: TaskTable = {
  rows: [],
  ids: [],
  lines: new Map(),
  graph: buildGraph([]),
  standing: standing(buildGraph([]), new Map(), 1),
  done: 0,
  failed: 0,
  total: 0,
  chain: 0,
};
