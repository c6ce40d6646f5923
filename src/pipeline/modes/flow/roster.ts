import { type FlowRole, taskRoles } from '../../../issues/task-list/task-phase.ts';
import { ownTask } from '../../../issues/team/claim.ts';
import { stopGate } from '../../../issues/team/stop-gate.ts';
import type { Invocation, SessionState } from '../../state.ts';
import type { FlowState, TeamMember } from './flow-state.ts';
import { listOf } from './flow-tasks.ts';
import { claimablesOf } from './team.ts';

/** A worker of the team, as people see it. */
export interface RosterEntry {
  readonly worker: string;
  readonly role: FlowRole;
  /** The program that runs it; `null` for a worker of this session. */
  readonly program: string | null;
  readonly state: 'working' | 'paused' | 'starting' | 'idle' | 'left';
  /** The task that it has; `null` without one. */
  readonly task: string | null;
  /** Why it does nothing: "waits for plan-1", "no task for its role is free"; '' while it works. */
  readonly why: string;
  /** Since when it is in this state (ISO 8601). */
  readonly since: string;
  /** Tasks of it that are done. */
  readonly done: number;
  readonly invocation: Invocation | null;
}

/** Every worker of the team with what it does, by role and then in the order in which they came; empty in hero. `nameOf` names tasks in `why`: by their ids unless it says otherwise. */
export const rosterOf = (
  state: SessionState,
  nameOf: (task: string) => string = (id) => id,
): readonly RosterEntry[] => {
  const { flow } = state;
  if (flow === null || flow.workers.size === 0) return [];
  const claimables = claimablesOf(state, flow, listOf(state, flow));
  return [...flow.workers.values()]
    .toSorted((one, other) => taskRoles.indexOf(one.role) - taskRoles.indexOf(other.role))
    .map((member) => {
      const entry = entryOf(state, flow, member, claimables);
      return entry.state === 'idle' ? { ...entry, why: idleWords(claimables, member, nameOf) } : entry;
    });
};

/** What workers said with `send_message`, beside the tasks that were given out: a healthy team needs none. `null`: no team. */
export interface TeamMessages {
  readonly sent: number;
  readonly refused: number;
  readonly assignments: number;
}

export const teamMessages = ({ flow }: SessionState): TeamMessages | null => {
  if (flow === null || flow.workers.size === 0) return null;
  const { sent, refused } = flow.messages;
  return {
    sent,
    refused,
    assignments: [...flow.claims.values()].filter(({ worker }) => worker !== null).length,
  };
};

const entryOf = (
  state: SessionState,
  flow: FlowState,
  member: TeamMember,
  claimables: ReturnType<typeof claimablesOf>,
): RosterEntry => {
  const { name, role, left, since, foreign } = member;
  const done = [...flow.claims].filter(
    ([task, { worker }]) => worker === name && state.tasks.get(task)?.status === 'done',
  ).length;
  const common = { worker: name, role, program: foreign?.program ?? null, done, invocation: null };
  if (left !== null) return { ...common, state: 'left', task: null, why: left, since };
  const invocation =
    [...state.invocations.values()].find(
      (each) => each.worker === name && (each.stage === 'running' || each.stage === 'paused'),
    ) ?? null;
  if (invocation !== null) {
    const paused = invocation.stage === 'paused';
    return {
      ...common,
      invocation,
      state: paused ? 'paused' : 'working',
      task: invocation.task,
      why: '',
      since: invocation.startedAt,
    };
  }
  const own = ownTask(claimables, member);
  if (own !== null) {
    const from = flow.claims.get(own.id)?.since ?? since;
    return { ...common, state: 'starting', task: own.id, why: '', since: from };
  }
  return {
    ...common,
    state: 'idle',
    task: null,
    why: '',
    since: lastEnd(state, flow, member),
  };
};

const idleWords = (
  claimables: ReturnType<typeof claimablesOf>,
  member: TeamMember,
  nameOf: (task: string) => string,
): string => {
  const { foreign } = member;
  if (foreign !== null && foreign.admittedBy === null) return 'waits for you to let it in';
  const gate = stopGate(claimables, member, null);
  switch (gate.kind) {
    case 'shutdown':
      return 'the list is done';
    case 'idle': {
      if (gate.why === 'other-roles') return 'no task for its role is free';
      const waits = claimables.find(({ id }) => id === gate.tasks[0])?.blockedBy ?? [];
      return `waits for ${waits.map(nameOf).join(', ')}`;
    }
    default:
      return foreign === null
        ? `waits for a free slot: ${nameOf(gate.task)}`
        : `may claim ${nameOf(gate.task)}`;
  }
};

/** When its last task ended, or when it joined. */
const lastEnd = (state: SessionState, { claims }: FlowState, { name, since }: TeamMember): string => {
  let last = since;
  for (const [id, { worker }] of claims) {
    const task = state.tasks.get(id);
    const ended = worker === name ? (task?.submittedAt ?? task?.endedAt ?? null) : null;
    if (ended !== null && ended > last) last = ended;
  }
  return last;
};
