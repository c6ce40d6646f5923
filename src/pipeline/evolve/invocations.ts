import type { Message } from '../../agents/port.ts';
import { quotaAnswered, quotaReported } from '../agents/quota.ts';
import type { EventOf } from '../event.ts';
import type { HandlersOf, Patch } from '../handler.ts';
import { isIsolated } from '../isolated.ts';
import { change, drop, type Owned, put } from '../maps.ts';
import { lostMessages } from '../retry.ts';
import type { EndedTimes } from '../scheduling/task-times.ts';
import { slotOf } from '../slot.ts';
import type { Invocation, SessionState } from '../state.ts';
import { workedOn } from './changes.ts';
import { editInvocation } from './edit-invocation.ts';
import { plainMessage } from './plain.ts';
import { settle } from './settle.ts';

/** The life of an invocation, and of its slot's retries. */
export const invocations: HandlersOf<
  | 'invocation.started'
  | 'invocation.resumed'
  | 'invocation.paused'
  | 'invocation.ended'
  | 'invocation.failed'
  | 'invocation.interrupted'
  | 'invocation.settled'
  | 'checkpoint.reached'
  | 'retry.scheduled'
  | 'finding.noted'
> = {
  'invocation.started': (state, event, own) => {
    const before = event.task === undefined ? undefined : state.tasks.get(event.task);
    const attempt = event.attempt ?? 0;
    const counted = event.mode === 'IMPLEMENT' && before !== undefined && attempt > before.attempt;
    return {
      invocations: disturbing(state, own, started(event)),
      invocationsStarted: state.invocationsStarted + 1,
      startedHere: state.startedHere + 1,
      lostWords: drop(own, state.lostWords, slotOf(event.mode, event.task ?? null)),
      ...workedOn(state, event, own),
      ...(counted
        ? {
            attemptsTotal: state.attemptsTotal + 1,
            tasks: put(own, state.tasks, before.definition.id, { ...before, attempt }),
          }
        : {}),
      ...(event.item === undefined
        ? {}
        : { planItems: put(own, state.planItems, event.item, { mark: 'running', note: null }) }),
    };
  },

  'invocation.resumed': (state, event, own) =>
    editInvocation(state, own, event.invocation, (invocation) => ({
      ...invocation,
      stage: 'running',
      messages: [...invocation.messages, ...event.messages.map(plainMessage)],
    })),

  'invocation.paused': (state, event, own) =>
    editInvocation(state, own, event.invocation, (invocation) => ({
      ...invocation,
      stage: 'paused',
      checkpoint: event.checkpoint ?? invocation.checkpoint,
      continuation: event.continuation,
    })),

  'invocation.ended': (state, event, own) => {
    const outcome = event.outcome;
    const research = outcome.role === 'Questioner' && outcome.mode === 'research';
    return {
      ...editInvocation(state, own, event.invocation, (invocation) => ({
        ...invocation,
        stage: 'ended',
        outcome,
        definedTasks: event.tasks ?? null,
        escalation: event.escalation ?? null,
        command: null,
      })),
      ...(research ? { newQuestions: outcome.questions_generated } : {}),
      ...timed(state, event, own),
      questions: withoutOpen(state, own, event.invocation),
      ...guided(state, event),
      ...quotaAnswered(state, event, own),
    };
  },

  'invocation.failed': (state, event, own) => ({
    ...editInvocation(state, own, event.invocation, (invocation) => ({
      ...invocation,
      stage: 'failed',
      failure: { kind: event.kind, fault: event.fault, until: event.until ?? null },
      command: null,
    })),
    ...(event.kind === 'quota' ? quotaReported(state, event, own) : {}),
  }),

  'invocation.interrupted': (state, event, own) => {
    const invocation = state.invocations.get(event.invocation);
    // An invocation that a hold paused survives the end of the program.
    const asleep = invocation?.stage === 'paused' && (event.reason === 'crash' || event.reason === 'quit');
    if (asleep) return null;
    const goesOn = event.reason === 'crash' || event.reason === 'quit';
    return {
      ...(goesOn ? {} : { questions: withoutOpen(state, own, event.invocation) }),
      ...editInvocation(state, own, event.invocation, (old) => ({
        ...old,
        stage: 'interrupted',
        interruption: event.reason,
        command: null,
      })),
    };
  },

  'invocation.settled': (state, event, own) => {
    const { task, interruption } = state.invocations.get(event.invocation) ?? {
      task: null,
      interruption: null,
    };
    return {
      ...settle(state, own, event.invocation),
      ...(task !== null && interruption === 'crash'
        ? { tasks: change(own, state.tasks, task, (old) => ({ ...old, crashes: old.crashes + 1 })) }
        : {}),
    };
  },

  'checkpoint.reached': (state, event, own) =>
    event.invocation === null
      ? null
      : editInvocation(state, own, event.invocation, (invocation) => ({
          ...invocation,
          checkpoint: event.checkpoint,
          heldInPermission: state.hold !== null && event.checkpoint === permissionBoundary,
        })),

  'retry.scheduled': (state, event, own) => ({
    retries: put(own, state.retries, event.retry, {
      atMs: event.at_ms,
      tries: event.tries,
      fired: event.at_ms <= Date.parse(event.at),
      ...(event.reason === undefined ? {} : { reason: event.reason }),
      messages: lostMessages(state, event),
    }),
    ...(event.invocation === undefined || state.invocations.get(event.invocation)?.stage === 'running'
      ? {}
      : { invocations: drop(own, state.invocations, event.invocation) }),
  }),

  'finding.noted': () => null,
};

/** What `checkpoint.reached` names where an agent's request is held back though nobody is asked. */
export const permissionBoundary = 'permission';

const started = (event: EventOf<'invocation.started'>): Invocation => ({
  id: event.invocation,
  role: event.role,
  mode: event.mode,
  backend: event.backend,
  insteadOf: event.instead_of ?? null,
  runner: event.runner ?? null,
  worker: event.worker ?? null,
  cycle: event.cycle,
  task: event.task ?? null,
  attempt: event.attempt ?? null,
  item: event.item ?? null,
  promote: event.promote ?? null,
  stage: 'running',
  startedAt: event.at,
  heldMs: 0,
  standsSince: null,
  stale: false,
  disturbed: false,
  checkpoint: null,
  claim: null,
  heldInPermission: false,
  allowed: [],
  messages: event.messages.map(plainMessage),
  takenBack: [],
  continuation: undefined,
  outcome: null,
  definedTasks: null,
  escalation: null,
  escalatedBy: null,
  failure: null,
  interruption: null,
  command: null,
  commandsLeft: null,
  agent: null,
});

/** Adds an invocation. In a shared tree an Executor and a review that begin beside each other see what the other does. */
const disturbing = (state: SessionState, own: Owned, added: Invocation): SessionState['invocations'] => {
  const others = isIsolated(state) ? [] : [...state.invocations.values()].filter(isOther(added));
  const disturbed = added.mode === 'TASK_REVIEW' && others.some(({ mode }) => mode === 'IMPLEMENT');
  let invocations = put(own, state.invocations, added.id, { ...added, disturbed });
  if (added.mode === 'IMPLEMENT')
    for (const { id, mode } of others)
      if (mode === 'TASK_REVIEW')
        invocations = change(own, invocations, id, (old) => ({ ...old, disturbed: true }));
  return invocations;
};

const isOther =
  ({ task }: Invocation) =>
  (other: Invocation): boolean =>
    other.task !== task;

/** An escalation without a task becomes guidance for the next attempt. */
const guided = (state: SessionState, event: EventOf<'invocation.ended'>): Patch => {
  const invocation = state.invocations.get(event.invocation);
  if (event.escalation === undefined || invocation?.task !== null) return null;
  const message: Message = {
    id: invocation.escalatedBy ?? `escalation:${event.invocation}`,
    kind: 'STEER',
    text: event.escalation,
  };
  return { standing: [...state.standing, message] };
};

/** Drops open questions of an ended invocation. */
const withoutOpen = (state: SessionState, own: Owned, invocation: string): SessionState['questions'] =>
  [...state.questions.values()]
    .filter((question) => question.invocation === invocation && question.answer === null)
    .reduce((questions, { request }) => drop(own, questions, request), state.questions);

/** How long a task's work, or its check, took. What was given up early says nothing. */
const timed = (
  state: SessionState,
  { invocation, outcome, at }: EventOf<'invocation.ended'>,
  own: Owned,
): Patch => {
  const { mode, task, stale, startedAt, heldMs } = state.invocations.get(invocation) ?? noInvocation;
  if (task === null || stale || outcome.status !== 'completed') return null;
  const ms = Math.max(0, Date.parse(at) - Date.parse(startedAt) - heldMs);
  if (mode === 'IMPLEMENT')
    return {
      tasks: change(own, state.tasks, task, (old) => ({ ...old, workedMs: ms })),
      ended: { ...state.ended, works: withOne(state.ended.works, ms) },
    };
  if (mode === 'TASK_REVIEW')
    return {
      tasks: change(own, state.tasks, task, (old) => ({ ...old, checkedMs: ms })),
      ended: { ...state.ended, checks: withOne(state.ended.checks, ms) },
    };
  return null;
};

const withOne = (all: EndedTimes['works'], ms: number): EndedTimes['works'] => ({
  count: all.count + 1,
  ms: all.ms + ms,
});

const noInvocation = { mode: null, task: null, stale: false, startedAt: '', heldMs: 0 } as const;
