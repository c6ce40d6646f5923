import type { Fault } from '../base/fault.ts';
import type { SessionState } from '../pipeline/state.ts';
import { type OpenRequest, selectRequests } from '../store/select-request.ts';
import { buildGraph, type Graph, type Standing, standing } from '../tasks/graph.ts';
import type { OpenSession, SessionHost } from './open-session.ts';

/** `status --json` (plan-and-config.md, Machine-readable output): fields are added, never renamed. */
export interface StatusReport {
  readonly session_id: string;
  readonly workspace: string;
  readonly goal: string;
  readonly status: string;
  readonly state: string;
  readonly iteration: number;
  readonly wave: number | null;
  readonly held: boolean;
  readonly stop_reason: string | null;
  readonly tasks: TaskCounts;
  /** Those that failed, with the last reason. */
  readonly failed: readonly FailedTask[];
  readonly pending_signals: number;
  /** Feedback for the next iteration lies there: `resume` starts it. */
  readonly feedback_waits: boolean;
  readonly host: SessionHost | null;
  /** What a person is asked to decide; staged files of the knowledge gate. */
  readonly gate: { readonly gate: 'knowledge' | 'plan'; readonly files: readonly string[] } | null;
  /** ISO 8601, of the open gate. */
  readonly next_deadline: string | null;
  /** What `ralph-tui answer` settles: agents' questions and the gate of the plan. */
  readonly requests: readonly OpenRequest[];
  readonly problems: readonly Fault[];
}

export interface FailedTask {
  readonly task: string;
  readonly attempt: number;
  readonly reason: string | null;
}

export interface TaskCounts {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly pending: number;
  readonly cancelled: number;
  readonly unreachable: number;
}

/** What lies beside the journal, which does not tell of it. */
export interface Lying {
  readonly signals: number;
  readonly feedback: boolean;
}

export const statusOf = (
  session: Pick<OpenSession, 'state' | 'paths' | 'host' | 'problems'>,
  lying: Lying,
): StatusReport => {
  const { state } = session;
  return {
    session_id: session.paths.session,
    workspace: session.paths.workspace,
    goal: state.goal,
    status: state.status,
    state: state.state,
    iteration: state.iteration,
    wave: state.wave,
    held: state.hold !== null,
    stop_reason: state.stopReason,
    tasks: countTasks(state),
    failed: [...state.tasks.values()]
      .filter(({ status }) => status === 'failed')
      .map(({ definition, attempt, reason }) => ({ task: definition.id, attempt, reason })),
    pending_signals: lying.signals,
    feedback_waits: lying.feedback,
    host: session.host,
    gate: state.gate && { gate: state.gate.gate, files: state.gate.files },
    next_deadline:
      state.gate?.deadlineMs === undefined || state.gate.deadlineMs === null
        ? null
        : new Date(state.gate.deadlineMs).toISOString(),
    requests: selectRequests(state),
    problems: session.problems,
  };
};

/** Graph and standing of a session's tasks; the graph's waves are in the order they run. */
export const graphOf = (state: SessionState): { readonly graph: Graph; readonly standing: Standing } => {
  const graph = buildGraph([...state.tasks.values()].map((task) => task.definition));
  return { graph, standing: standing(graph, state.tasks, state.settings.retries.max_attempts) };
};

const countTasks = (state: SessionState): TaskCounts => {
  const statuses = [...state.tasks.values()].map((task) => task.status);
  const count = (...wanted: readonly string[]): number =>
    statuses.filter((status) => wanted.includes(status)).length;
  return {
    total: statuses.length,
    completed: count('done'),
    failed: count('failed'),
    pending: count('open', 'running', 'review'),
    cancelled: count('cancelled'),
    unreachable: graphOf(state).standing.unreachable.size,
  };
};
