import { type HeldBack, heldBack } from '../pipeline/dispatch.ts';
import type { SessionState } from '../pipeline/state.ts';
import { defaultSettings } from '../session/settings.ts';
import { buildGraph, type Graph, type Standing, standing, type TaskStanding } from '../tasks/graph.ts';
import { parsePlan } from '../tasks/plan-file.ts';
import type { TaskDefinition, TaskId, TaskStatus } from '../tasks/task.ts';
import { valueOrExit } from './cli.ts';

/** One task as `tasks --json` prints it, and what the text forms add: `ready`, `wave` (from 1), `reason`. */
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
  readonly ready: boolean;
  readonly wave: number;
  readonly reason: string | null;
  /** What it may not run beside, while that works. */
  readonly held_back: HeldBack | null;
}

interface TaskFacts extends TaskStanding {
  readonly attempt: number;
  readonly owner: string | null;
  readonly reason: string | null;
}

export const rowsOfSession = (state: SessionState): readonly TaskRow[] =>
  rows(
    [...state.tasks.values()].map((task) => task.definition),
    state.tasks,
    state.settings.retries.max_attempts,
    heldBack(state),
  );

/** A plan nobody has started: every task is open. */
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
    rowOf(definition, facts.get(definition.id), graph, stands, { ready: ready.has(definition.id), held }),
  );
};

const rowOf = (
  definition: TaskDefinition,
  facts: TaskFacts | undefined,
  graph: Graph,
  stands: Standing,
  { ready, held }: { readonly ready: boolean; readonly held: (task: TaskDefinition) => HeldBack | null },
): TaskRow => ({
  id: definition.id,
  title: definition.title,
  status: facts?.status ?? 'open',
  attempt: facts?.attempt ?? 0,
  owner: facts?.owner ?? null,
  blockedBy: graph.blockersOf.get(definition.id) ?? [],
  blocks: graph.dependantsOf.get(definition.id) ?? [],
  waitingFor: stands.waitingFor.get(definition.id) ?? [],
  unreachable: stands.unreachable.get(definition.id) ?? null,
  ready,
  wave: (graph.waveOf.get(definition.id) ?? 0) + 1,
  reason: facts?.reason ?? null,
  held_back: ready ? held(definition) : null,
});

/** Why a task does not run, or what keeps it as it is, in sentences; never empty. */
export const reasonsFor = (row: TaskRow, all: readonly TaskRow[]): readonly string[] => {
  const reasons: string[] = [];
  if (row.unreachable !== null) reasons.push(row.unreachable);
  for (const blocker of row.waitingFor) {
    const status = all.find((each) => each.id === blocker)?.status ?? 'unknown';
    reasons.push(`waits for ${blocker}, which is ${status}`);
  }
  if (row.reason !== null) reasons.push(row.reason);
  if (reasons.length > 0) return reasons;
  if (row.held_back !== null) return [`it does not run beside ${row.held_back.by}: ${whyNot(row.held_back)}`];
  if (row.ready) return ['nothing blocks it: it starts when a slot is free'];
  return [ordinary[row.status]];
};

const whyNot = ({ files }: HeldBack): string =>
  files.length > 0
    ? `both change ${files.join(', ')}`
    : 'one of them is Sequential or names no `files`, and they share the workspace';

const ordinary: Readonly<Record<TaskStatus, string>> = {
  open: 'it waits for its wave',
  running: 'it runs',
  review: 'it waits for its review',
  done: 'it is done and qualified',
  failed: 'it failed and has no attempts left; `ralph-tui retry` opens it again',
  cancelled: 'it was cancelled; `ralph-tui retry` opens it again',
};
