import { stateNameSchema } from '../../session/status.ts';
import { firstPlan, laterPlan, openItems } from '../initial.ts';
import { slotOfRequest } from '../slot.ts';
import type { SessionState, TaskState } from '../state.ts';
import type { HandlersOf, Patch } from './handler.ts';
import { type Owned, put } from './maps.ts';
import { settingsFrom, withSettings } from './settings.ts';

/** Starts, stops, states, iterations, and what is found on the way. */
export const session: HandlersOf<
  | 'session.created'
  | 'session.started'
  | 'session.stopped'
  | 'settings.changed'
  | 'state.entered'
  | 'iteration.started'
  | 'metadata.edited-by-hand'
  | 'problem.found'
  | 'limit.reached'
  | 'snapshot.written'
  | 'feedback.found'
> = {
  'session.created': (state, event) => ({
    session: event.session_id,
    workspace: event.workspace,
    goal: event.goal,
    created: event.at,
    settings: settingsFrom(event.settings, state.settings),
    planItems: openItems(firstPlan),
  }),

  'session.started': (state, event) => {
    const complete = state.state === 'COMPLETE';
    const hold = isLimitHold(state) ? null : state.hold;
    return {
      settings: settingsFrom(event.settings, state.settings),
      running: true,
      // A program that was killed wrote no end: its time goes up to the last thing it told.
      spentMs: state.running ? spentUntil(state, Date.parse(state.at)) : state.spentMs,
      // The first program counts from when it made the session.
      startedAt: state.startedAt === '' && state.created !== '' ? state.created : event.at,
      host: { pid: event.pid, epoch: event.epoch },
      attended: event.attended,
      status: complete ? state.status : hold ? 'paused' : 'in_progress',
      stopReason: complete ? state.stopReason : null,
      lookingForFeedback: complete,
      hold,
      limit: null,
      timeUp: false,
      retries: new Map([...state.retries].filter(([, retry]) => !retry.fired)),
      questions: new Map(
        [...state.questions].filter(
          ([request, question]) => question.answer === null || slotOfRequest(request) === null,
        ),
      ),
    };
  },

  'session.stopped': (state, event, own) => ({
    running: false,
    tasks: leftOpen(state, own),
    spentMs: spentUntil(state, Date.parse(event.at)),
    host: null,
    status: event.status,
    stopReason: event.reason,
    // The record of an abort is the status; feedback may still start the next iteration.
    abort: event.status === 'aborted' ? null : state.abort,
  }),

  'settings.changed': (state, event) => ({ settings: withSettings(state.settings, event.set) }),

  'state.entered': (state, event, own) => ({
    state: event.state,
    previous: event.previous,
    startedHere: 0,
    ...entering(state, event.state, own),
  }),

  'iteration.started': (state, event) => {
    const inherited = new Map(event.tasks.map((definition) => [definition.id, definition]));
    const tasks = new Map<string, TaskState>();
    for (const [id, task] of state.tasks) {
      const definition = inherited.get(id);
      tasks.set(id, definition ? fresh({ ...task, definition }, event.iteration) : task);
    }
    return {
      iteration: event.iteration,
      tasks,
      batch: [],
      wave: null,
      planItems: openItems(laterPlan),
      cycle: 1,
      newQuestions: 0,
      planApproved: false,
      guidance: [],
      retries: new Map(),
      noResults: new Map(),
      knowledge: { ...state.knowledge, staged: [] },
      review: null,
      decision: null,
      gate: null,
      feedback: [],
      abort: null,
      stopReason: null,
      status: 'in_progress',
    };
  },

  'metadata.edited-by-hand': (_state, event) => {
    if (event.key !== 'orchestrator.state') return null;
    const name = stateNameSchema.safeParse(event.value);
    return name.success ? { state: name.data, startedHere: 0 } : null;
  },

  'problem.found': (state, event) => {
    const { code, what, where, mend } = event.fault;
    const fault = {
      code,
      what,
      ...(where === undefined ? {} : { where }),
      ...(mend === undefined ? {} : { mend }),
    };
    return { problems: [...state.problems.slice(1 - mostProblems), fault] };
  },

  'limit.reached': (_state, event) => ({ limit: event.reason }),

  'snapshot.written': (state, event, own) => ({
    snapshots: put(own, state.snapshots, event.file, event.hash),
  }),

  'feedback.found': (state, event) => ({
    lookingForFeedback: false,
    feedback: event.iteration === state.iteration + 1 ? event.directories : state.feedback,
  }),
};

const mostProblems = 200;

/** A hold that a limit asked for ends with the stop; a person's hold stays until RESUME. */
export const isLimitHold = (state: SessionState): boolean =>
  state.hold !== null && state.hold.signal === null && state.hold.by === limitHolder;

/** Who holds the session when a limit is reached. */
export const limitHolder = 'limit';

const entering = (state: SessionState, name: SessionState['state'], own: Owned): Patch => {
  if (name === 'COMPLETE')
    return {
      hold: null,
      gate: null,
      batch: [],
      invocations: new Map(),
      retries: new Map(),
      noResults: new Map(),
      quotaUntil: null,
      limit: null,
      timeUp: false,
    };
  const woken = state.state === 'COMPLETE' ? reopening : {};
  if (name === 'BATCHING')
    return { ...woken, batch: [], tasks: leftOpen(state, own), ...withoutKnowledge(state) };
  return woken;
};

/**
 * A task that nobody works on is not running: one whose next try was due waits like all others when its wave is over, because a blocker was opened again,
 * or the session stops. What was paused or interrupted goes on with its invocation.
 */
const leftOpen = (state: SessionState, own: Owned): SessionState['tasks'] => {
  const atWork = new Set([...state.invocations.values()].map(({ task }) => task));
  let tasks = state.tasks;
  for (const [id, task] of state.tasks)
    if (task.status === 'running' && !atWork.has(id))
      tasks = put(own, tasks, id, { ...task, status: 'open' });
  return tasks;
};

const reopening = { status: 'in_progress', stopReason: null, reopened: false } as const;

/** Back to work after a review: what was concluded from the earlier tasks is concluded anew. */
const withoutKnowledge = (state: SessionState): Patch => {
  if (state.review === null) return null;
  const planItems = new Map(state.planItems);
  planItems.set('plan-knowledge-extraction', { mark: 'open', note: null });
  planItems.set('plan-knowledge-approval', { mark: 'open', note: null });
  return { review: null, decision: null, gate: null, planItems };
};

/** How long it has run at a moment of a run that is under way; milliseconds, `ms` since the epoch. */
export const spentUntil = ({ spentMs, startedAt }: SessionState, ms: number): number =>
  startedAt === '' ? spentMs : spentMs + Math.max(0, ms - Date.parse(startedAt));

/** A task that a new iteration takes over: open, its attempts start at 1 again (engine.md). */
export const fresh = (task: TaskState, iteration: number): TaskState => ({
  ...task,
  definition: { ...task.definition, iteration },
  status: 'open',
  iteration,
  attempt: 0,
  failures: 0,
  crashes: 0,
  owner: null,
  reason: null,
  startedAt: null,
  endedAt: null,
  submittedAt: null,
  heldMs: 0,
  changed: [],
  uncommitted: null,
  replan: null,
  replans: 0,
});
