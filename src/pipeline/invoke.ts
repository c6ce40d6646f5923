import type { Message, Mode } from '../agents/port.ts';
import type { PlanItem } from '../session/status.ts';
import type { Role } from '../signals/signal.ts';
import { runnerFor } from './agents/placement.ts';
import { agentInstead } from './agents/quota.ts';
import { isProvenByVerify, isVerifying } from './changes/verifying.ts';
import type { EventBody } from './event.ts';
import { planWordsFor } from './modes/flow/plan-words.ts';
import { mostWithoutResult, requestOf, roleOf, slotOf } from './slot.ts';
import type { SessionState, TaskState } from './state.ts';

/** The request for an invocation: one mode, for one task or one plan item (src/engine/README.md, Roles). */
interface Ask {
  readonly mode: Mode;
  readonly task?: TaskState;
  readonly item?: PlanItem;
  readonly promote?: readonly string[];
  /** The worker of a team that does it. */
  readonly worker?: string;
  /** Does it whatever the settings say. Absent: the agent of the task or the role. */
  readonly backend?: string;
}

/**
 * The start of an invocation, or `null` while it may not start: a quota is used up, its retry is not due, or a
 * person is asked about it. The attempt number counts Executor starts. A failed call is retried inside the attempt.
 */
export const invoke = (state: SessionState, ask: Ask): EventBody | null => {
  if (!mayStart(state, ask.mode, ask.task)) return null;
  const role = roleOf[ask.mode];
  const task = ask.task?.definition.id;
  const retry = state.retries.get(slotOf(ask.mode, task ?? null));
  const agent = ask.backend ?? agentFor(state, ask.mode, ask.task ?? null);
  const backend = ask.backend ?? agentInstead(state, agent);
  const runner = ask.backend === undefined ? runnerFor(state, ask.mode, ask.task, backend) : null;
  if (runner === 'wait') return null;
  return {
    type: 'invocation.started',
    invocation: `${role}-${state.invocationsStarted + 1}`,
    role,
    mode: ask.mode,
    backend,
    ...(backend === agent ? {} : { instead_of: agent }),
    ...(runner === null ? {} : { runner }),
    ...(ask.worker === undefined ? {} : { worker: ask.worker }),
    cycle: state.cycle,
    messages: told([
      ...state.standing,
      ...(role === 'Planner' ? state.planWords : []),
      ...(ask.task ? planWordsFor(state, ask.task) : []),
      ...(ask.task?.orders ?? []),
      ...(ask.task?.feedback ?? []),
      ...(retry?.messages ?? []),
      ...(state.lostWords.get(slotOf(ask.mode, task ?? null)) ?? []),
      ...state.resumeMessages,
    ]),
    ...(ask.task ? { task: ask.task.definition.id, attempt: attemptOf(state, ask.mode, ask.task) } : {}),
    ...(ask.item ? { item: ask.item } : {}),
    ...(ask.promote ? { promote: [...ask.promote] } : {}),
  };
};

/** True when the slot may start: no quota limit, no pending retry, no open question about it, and a free slot where it may run. */
export const mayStart = (state: SessionState, mode: Mode, task: TaskState | undefined): boolean => {
  if (state.quotaUntil !== null) return false;
  const slot = slotOf(mode, task?.definition.id ?? null);
  return (
    state.retries.get(slot)?.fired !== false &&
    state.questions.get(requestOf(slot))?.answer !== null &&
    (state.noResults.get(slot) ?? 0) < mostWithoutResult &&
    hasPlace(state, mode, task)
  );
};

const hasPlace = (state: SessionState, mode: Mode, task: TaskState | undefined): boolean => {
  const backend = agentInstead(state, agentFor(state, mode, task ?? null));
  return runnerFor(state, mode, task, backend) !== 'wait';
};

/** The backend of an invocation. With a small effort the session is reviewed from its record. */
export const agentFor = (state: SessionState, mode: Mode, task: TaskState | null): string =>
  mode === 'SESSION_REVIEW' && state.settings.effort === 'small'
    ? 'script'
    : backendOf(state, roleOf[mode], task);

/** The backend of a role: the task's own agent, else the role's in the settings, else the embedded one. Only commands verify an attempt, a loop or a merge. In a flow an
 * implementation is reviewed by the agent that made it unless a Reviewer is named. */
export const backendOf = (state: SessionState, role: Role, task: TaskState | null): string =>
  (role === 'Executor' ? task?.definition.agent : undefined) ??
  (role === 'Reviewer' && isCheckedByCommands(state, task) ? 'script' : undefined) ??
  (role === 'Librarian' && state.mode === 'waves' && state.settings.effort === 'small'
    ? 'script'
    : undefined) ??
  state.settings.roles[role.toLowerCase()] ??
  state.settings.roles[role] ??
  (role === 'Reviewer' && state.mode === 'flow' && task?.definition.phase === 'implement'
    ? codeReviewer(state.settings)
    : 'script');

/** The agent that reviews an implementation of a flow. */
export const codeReviewer = ({ roles }: Pick<SessionState['settings'], 'roles'>): string =>
  roles['reviewer'] ?? roles['Reviewer'] ?? roles['executor'] ?? 'script';

const isCheckedByCommands = (state: SessionState, task: TaskState | null): boolean =>
  state.mode === 'loop' ||
  isVerifiedAgain(task) ||
  isVerifying(state, task) ||
  (task !== null && isProvenByVerify(state, task));

/** It is merged, and its `verify` runs once more on the session's branch. */
export const isVerifiedAgain = (task: TaskState | null): boolean =>
  task?.status === 'review' && task.review === 'merged';

/** The attempt that an invocation of this mode is part of: a new one for an Executor, unless its failed call is made again. */
export const attemptOf = (state: SessionState, mode: Mode, { definition, attempt }: TaskState): number => {
  const again = state.retries.has(slotOf(mode, definition.id));
  return mode === 'IMPLEMENT' && !(again && attempt > 0) ? attempt + 1 : Math.max(attempt, 1);
};

const told = (messages: readonly Message[]): Message[] => [
  ...new Map(messages.map((message) => [message.id, message])).values(),
];
