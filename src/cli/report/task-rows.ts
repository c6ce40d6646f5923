import { list } from '../../base/sentence.ts';
import { type OpenQuestion, openQuestions } from '../../pipeline/questions/open-questions.ts';
import { type HeldBack, heldBack } from '../../pipeline/scheduling/start.ts';
import type { SessionState } from '../../pipeline/state.ts';
import { defaultSettings } from '../../session/settings.ts';
import { questionKinds } from '../../signals/question-kinds.ts';
import {
  buildGraph,
  type Graph,
  type Standing,
  standing,
  type TaskStanding,
  type Unreachable,
} from '../../tasks/graph.ts';
import { parsePlan } from '../../tasks/plan-file.ts';
import { stuckBehind, unreachableReason } from '../../tasks/stuck-behind.ts';
import type { TaskDefinition, TaskId, TaskStatus } from '../../tasks/task.ts';
import { answerCommand, sessionCommand } from '../../words/session-command.ts';
import { valueOrExit } from '../cli.ts';

/** One task as `tasks --json` prints it. The text forms add `ready`, `wave` (from 1) and `reason`. */
export interface TaskRow {
  readonly id: TaskId;
  readonly title: string;
  readonly status: TaskStatus;
  readonly attempt: number;
  readonly owner: string | null;
  readonly blockedBy: readonly TaskId[];
  readonly blocks: readonly TaskId[];
  readonly waitingFor: readonly TaskId[];
  readonly unreachable: string | null;
  /** Tasks to retry before it can run: itself when it failed for good or was cancelled, else those that make it unreachable. */
  readonly retry: readonly TaskId[];
  readonly ready: boolean;
  readonly wave: number;
  readonly reason: string | null;
  /** Working tasks that it must not run beside. */
  readonly held_back: HeldBack | null;
  /** A question about it that waits for a person. */
  readonly question: OpenQuestion | null;
}

interface TaskFacts extends TaskStanding {
  readonly attempt: number;
  readonly owner: string | null;
  readonly reason: string | null;
  readonly uncommitted: string | null;
}

export const rowsOfSession = (state: SessionState): readonly TaskRow[] => {
  const definitions = [...state.tasks.values()].map((task) => task.definition);
  const asked = openQuestions(state).filter(({ kind }) => questionKinds[kind].holdsUp);
  const all = rows(definitions, state.tasks, state.settings.retries.max_attempts, heldBack(state));
  return all.map((row) => ({ ...row, question: asked.find(({ task }) => task === row.id) ?? null }));
};

/** The rows of a plan before its start: every task is open. */
export const rowsOfPlan = (text: string, file: string): readonly TaskRow[] =>
  rows(valueOrExit(parsePlan(text, file)).tasks, new Map(), defaultSettings.retries.max_attempts, () => null);

const rows = (
  definitions: readonly TaskDefinition[],
  facts: ReadonlyMap<TaskId, TaskFacts>,
  maxAttempts: number,
  held: (task: TaskDefinition) => HeldBack | null,
): readonly TaskRow[] => {
  const graph = buildGraph(definitions);
  const stands = standing(graph, facts, maxAttempts);
  const ready = new Set(stands.ready);
  return definitions.map((definition) =>
    rowOf(definition, facts.get(definition.id), graph, stands, {
      ready: ready.has(definition.id),
      held,
      retry: retryOf(definition.id, graph, stands, facts),
    }),
  );
};

const retryOf = (
  id: TaskId,
  graph: Graph,
  stands: Standing,
  facts: ReadonlyMap<TaskId, TaskFacts>,
): readonly TaskId[] => {
  if (stands.unreachable.has(id)) return stuckBehind(graph, stands, facts, [id]);
  const status = facts.get(id)?.status;
  const over = (status === 'failed' || status === 'cancelled') && !graph.replaced.has(id);
  return over && stands.settled.has(id) ? [id] : [];
};

const rowOf = (
  definition: TaskDefinition,
  facts: TaskFacts | undefined,
  graph: Graph,
  stands: Standing,
  {
    ready,
    held,
    retry,
  }: {
    readonly ready: boolean;
    readonly held: (task: TaskDefinition) => HeldBack | null;
    readonly retry: readonly TaskId[];
  },
): TaskRow => ({
  id: definition.id,
  title: definition.title,
  status: facts?.status ?? 'open',
  attempt: facts?.attempt ?? 0,
  owner: facts?.owner ?? null,
  blockedBy: graph.blockersOf.get(definition.id) ?? [],
  blocks: graph.dependantsOf.get(definition.id) ?? [],
  waitingFor: stands.waitingFor.get(definition.id) ?? [],
  unreachable: reasonOf(stands.unreachable.get(definition.id)),
  retry,
  ready,
  wave: (graph.waveOf.get(definition.id) ?? 0) + 1,
  reason: facts?.reason ?? notCommitted(facts),
  held_back: ready ? held(definition) : null,
  question: null,
});

const reasonOf = (unreachable: Unreachable | undefined): string | null =>
  unreachable === undefined ? null : unreachableReason(unreachable);

/** The one problem a done task can have: its changes are not committed. */
const notCommitted = (facts: TaskFacts | undefined): string | null =>
  facts?.status === 'done' && facts.uncommitted !== null ? `not committed: ${facts.uncommitted}` : null;

/** Sentences that explain why a task does not run or keeps its status; never empty. */
export const reasonsFor = (row: TaskRow, all: readonly TaskRow[], session: string): readonly string[] => {
  if (row.question !== null) return [`it waits for your answer: \`${answerCommand(session, row.question)}\``];
  const reasons: string[] = [];
  if (row.unreachable !== null) reasons.push(`unreachable: ${row.unreachable}`);
  for (const blocker of row.waitingFor) {
    const status = all.find((each) => each.id === blocker)?.status ?? 'unknown';
    reasons.push(
      `waits for ${blocker}, which ${status === 'failed' ? 'failed' : `is ${status === 'review' ? 'in review' : status}`}`,
    );
  }
  if (row.reason !== null) reasons.push(row.reason);
  if (row.retry.length > 0) {
    if (reasons.length === 0) reasons.push(ordinary[row.status]);
    reasons.push(retryWords(row, session));
  }
  if (reasons.length > 0) return reasons;
  if (row.held_back !== null)
    return [`it cannot run alongside ${row.held_back.by}: ${whyNot(row.held_back)}`];
  if (row.ready) return ['nothing blocks it: it starts when a slot is free'];
  return [ordinary[row.status]];
};

/** The commands that let the task run. */
export const retryWords = ({ retry, unreachable }: TaskRow, session: string): string =>
  `${retry.map((id) => `\`${sessionCommand(session, `retry ${id}`)}\``).join(' and ')} ${unreachable === null ? 'reopens it' : retry.length === 1 ? 'lets it run' : 'let it run'}`;

const whyNot = ({ files }: HeldBack): string =>
  files.length > 0
    ? `both change ${list(files, files.length)}`
    : 'one of them is Sequential or names no `files`, and they share the workspace';

const ordinary: Readonly<Record<TaskStatus, string>> = {
  open: 'it is waiting for a free slot',
  running: 'it is in progress',
  review: 'it is waiting for its review',
  done: 'it is done and has passed its checks',
  failed: 'it failed and has no attempts left',
  cancelled: 'it was cancelled',
};
