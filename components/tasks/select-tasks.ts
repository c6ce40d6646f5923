import { memoise } from '../../src/base/memoise.ts';
import { safe } from '../../src/base/safe.ts';
import { issuesNeedingPerson } from '../../src/pipeline/modes/flow/needs-person.ts';
import { heldBack } from '../../src/pipeline/scheduling/start.ts';
import type { Invocation, SessionState, TaskState } from '../../src/pipeline/state.ts';
import { isComplete } from '../../src/session/status.ts';
import { countTasks } from '../../src/tasks/count-tasks.ts';
import { buildGraph, type Graph, type Standing, standing } from '../../src/tasks/graph.ts';
import { knownGraph } from '../../src/tasks/known-graph.ts';
import { longestChain } from '../../src/tasks/longest-chain.ts';
import { type StatusContext, statusOf, type TaskLook } from '../../src/words/task-status.ts';
import { turnWords } from '../../src/words/turn-words.ts';
import { workStart } from '../../src/words/work-words.ts';
import type { ViewState } from '../view.ts';
import { asksOf } from './asks-of.ts';
import { type IssueRow, rowsByIssue } from './issue-groups.ts';
import { partsBelow } from './parts-below.ts';
import { atRunner } from './select-runners.ts';

/** A line of the Tasks pane. */
export type TaskRow =
  | {
      /** From 1: what may run once the levels before it are done. */
      readonly kind: 'level';
      readonly level: number;
      readonly done: number;
      readonly total: number;
    }
  | IssueRow
  | TaskLine;

export interface TaskLine {
  readonly kind: 'task';
  readonly id: string;
  readonly title: string;
  readonly look: TaskLook;
  /** The status in words: "running", "running @gpu", "waits for task-2", "unreachable: task-4 failed". */
  readonly word: string;
  /** Without what the panes beside it show: the command that failed. */
  readonly brief: string;
  /** Only how it ended: "failed: exit 3". */
  readonly short: string;
  /** As those of `Status`. */
  readonly lead: string;
  readonly names: readonly string[];
  readonly attempt: number;
  readonly agent: string | null;
  /** Start of the running attempt, moved later by its held time. `null` when nothing runs. */
  readonly since: string | null;
  /** Working time of the last attempt until it was submitted, without reviews, their waiting and holds. `null` before its end. */
  readonly tookMs: number | null;
  /** Why its changes could not be committed. `null` when there is no problem. */
  readonly uncommitted: string | null;
  readonly last: boolean;
  /** Whether it is on the longest chain of remaining tasks. */
  readonly chain: boolean;
  /** The task that was split into this one and others. */
  readonly partOf: string | null;
}

export interface TaskTable {
  readonly rows: readonly TaskRow[];
  /** The rows of a flow by issue; the same ones in another mode. */
  readonly byIssue: readonly TaskRow[];
  /** Task ids in the order of the rows. */
  readonly ids: readonly string[];
  /** Task ids in the order of their definition. */
  readonly order: readonly string[];
  readonly lines: ReadonlyMap<string, TaskLine>;
  readonly graph: Graph;
  readonly standing: Standing;
  readonly done: number;
  /** How many of the done ones a person marked. */
  readonly byHand: number;
  readonly failed: number;
  /** Number of done tasks with changes that could not be committed. */
  readonly uncommitted: number;
  readonly total: number;
  /** Number of tasks on the longest chain of remaining tasks; 0 where there is none worth naming. */
  readonly chain: number;
  /** The first task that failed for good, by id. */
  readonly firstFailed: string | null;
}

/** The table of the Tasks pane. Computed once per session state. */
export const selectTasks = ({ session, connection, planned }: TasksOf): TaskTable => {
  if ((session?.tasks.size ?? 0) === 0 && planned) return runningTable(planned);
  if (session === null) return noTasks;
  return connection === 'stopped' && !isComplete(session) ? cutOffTable(session) : runningTable(session);
};

type TasksOf = Pick<ViewState, 'session'> & Partial<Pick<ViewState, 'connection' | 'planned'>>;

/** The task shown on the right: the chosen one, else the one being worked on, else the first that failed, else the first. */
export const selectTask = (view: ViewState): string | null => {
  const table = selectTasks(view);
  const { selected, followed } = view.ui;
  if (selected.tasks !== null && table.lines.has(selected.tasks)) return selected.tasks;
  if (followed !== null && table.lines.has(followed)) return followed;
  return table.firstFailed ?? table.ids[0] ?? null;
};

/** Ready tasks and what the others wait for. Computed once per session state, for callers without a table. */
export const selectStanding = memoise((session: SessionState): Standing => {
  return standing(graphOf(session), session.tasks, session.settings.retries.max_attempts);
});

const graphOf = (session: SessionState): Graph =>
  knownGraph([...session.tasks.values()].map((task) => task.definition));

const runningTable = memoise((session: SessionState): TaskTable => tableOf(session, false));
/** The table of a session that nobody runs: whatever its last events say, no agent works. */
const cutOffTable = memoise((session: SessionState): TaskTable => tableOf(session, true));

const tableOf = (session: SessionState, cutOff: boolean): TaskTable => {
  const states = [...session.tasks.values()];
  const graph = graphOf(session);
  const now = selectStanding(session);
  const working = new Map<string, Invocation>();
  for (const invocation of session.invocations.values())
    if (
      invocation.task !== null &&
      invocation.stage !== 'ended' &&
      !(cutOff && invocation.stage === 'running')
    )
      working.set(invocation.task, invocation);
  const held = heldBack(session);
  const asks = asksOf(session, cutOff);
  const needing = new Map(issuesNeedingPerson(session).map((each) => [each.issue, each.reason]));
  const partOf = new Map(
    states.flatMap(({ definition }) => definition.replaced_by.map((part) => [part, definition.id] as const)),
  );
  const chain = new Set(
    longestChain(graph, (id) => !now.settled.has(id) && session.tasks.get(id)?.status !== 'done'),
  );
  const lines = new Map<string, TaskLine>();
  const rows: TaskRow[] = [];
  graph.waves.forEach((wave, index) => {
    // As in the total of the session: a task that others took over counts in them.
    const counted = wave.filter((id) => !graph.replaced.has(id));
    if (session.mode !== 'loop')
      rows.push({
        kind: 'level',
        level: index + 1,
        done: counted.filter((id) => session.tasks.get(id)?.status === 'done').length,
        total: counted.length,
      });
    partsBelow(wave, partOf).forEach((id, place) => {
      const task = session.tasks.get(id);
      if (!task) return;
      const line = {
        ...lineOf(session, task, working.get(id), { graph, now, held, cutOff, asks, needing }),
        last: place === wave.length - 1,
        chain: chain.has(id),
        partOf: partOf.get(id) ?? null,
      };
      lines.set(id, line);
      rows.push(line);
    });
  });
  const { completed, byHand, total } = countTasks(session.tasks);
  // A task that is tried again, or waits for a person's word on it, has not failed yet.
  const failed = [...lines.values()].filter(({ look }) => look === 'failed').length;
  return {
    rows,
    byIssue: session.mode === 'flow' ? rowsByIssue(session, lines) : rows,
    ids: [...lines.keys()],
    order: [...session.tasks.keys()],
    lines,
    graph,
    standing: now,
    done: completed,
    byHand,
    failed,
    uncommitted: [...lines.values()].filter((line) => line.uncommitted !== null).length,
    total,
    chain: chain.size,
    firstFailed: [...lines.values()].find((line) => line.look === 'failed')?.id ?? null,
  };
};

const lineOf = (
  session: SessionState,
  task: TaskState,
  invocation: Invocation | undefined,
  context: StatusContext,
): Omit<TaskLine, 'last' | 'chain' | 'partOf'> => {
  const id = task.definition.id;
  const status = statusOf(session, task, invocation, context);
  const { look } = status;
  const active = invocation?.stage === 'running';
  const word = active ? `${status.word}${atRunner(invocation)}` : status.word;
  const asked = look === 'asks' ? context.asks.get(id) : undefined;
  const since = asked !== undefined ? asked : active ? workStart(session, invocation) : null;
  const worked = task.submittedAt ?? task.endedAt;
  const ended = task.startedAt !== null && worked !== null;
  return {
    kind: 'task',
    id,
    title: session.loop === null ? safe(task.definition.title) : turnWords(session, id),
    look,
    word,
    brief: status.brief ?? word,
    short: status.short ?? word,
    lead: status.lead ?? '',
    names: status.names ?? [],
    attempt: task.attempt,
    agent:
      invocation === undefined
        ? task.owner
        : `${invocation.worker ?? invocation.backend}${atRunner(invocation)}`,
    since,
    uncommitted: task.status === 'done' && task.uncommitted !== null ? safe(task.uncommitted) : null,
    tookMs: ended ? Date.parse(worked) - Date.parse(task.startedAt ?? '') - task.heldMs : null,
  };
};

const noTasks: TaskTable = {
  rows: [],
  byIssue: [],
  ids: [],
  order: [],
  lines: new Map(),
  graph: buildGraph([]),
  standing: standing(buildGraph([]), new Map(), 1),
  done: 0,
  byHand: 0,
  failed: 0,
  uncommitted: 0,
  total: 0,
  chain: 0,
  firstFailed: null,
};
