import { isPermanent } from '../../agents/permanent-faults.ts';
import { noGuidance } from '../../session/guidance/guidance.ts';
import { withSet } from '../../session/settings/live-settings.ts';
import { isComplete, type SessionMode, type SessionStatus, stateNameSchema } from '../../session/status.ts';
import { questionKinds } from '../../signals/question-kinds.ts';
import { decideAgain } from '../changes/finishing.ts';
import type { HandlersOf } from '../handler.ts';
import { laterPlan, openItems } from '../initial.ts';
import { leftOpen } from '../left-open.ts';
import { type Owned, put } from '../maps.ts';
import { modeOf } from '../modes/index.ts';
import type { Invocation, SessionState, TaskState } from '../state.ts';
import { heldToTheEnd, holdTold } from './held-signals.ts';
import { leaving } from './leave-train.ts';
import { settingsFrom } from './settings.ts';

/** Starts, stops, states, iterations, and problems on the way. */
export const session: HandlersOf<
  | 'session.created'
  | 'session.started'
  | 'session.stopped'
  | 'settings.changed'
  | 'guidance.changed'
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
    ...modeFrom(event.mode),
    ...(event.isolation === undefined ? {} : { changes: { ...state.changes, isolation: event.isolation } }),
    ...modeOf({ mode: event.mode ?? 'waves' }).created(event),
  }),

  'session.started': (state, event) => {
    const complete = isComplete(state);
    const hold = isLimitHold(state) ? null : state.hold;
    return {
      settings: settingsFrom(event.settings, state.settings),
      running: true,
      openedAgain: state.openedAgain && (state.reopened || !complete),
      // Requests and permissions end with the program that they belong to.
      permissions: new Map(),
      remembered: new Map(),
      // A killed program wrote no end: its time counts up to its last event.
      spentMs: state.running ? spentUntil(state, Date.parse(state.at)) : state.spentMs,
      // The first program counts from the session's creation.
      startedAt: state.startedAt === '' && state.created !== '' ? state.created : event.at,
      host: { pid: event.pid, epoch: event.epoch },
      startFlags: event.flags ?? state.startFlags,
      attended: event.attended,
      cores: event.cores ?? state.cores,
      earlier: event.earlier ?? state.earlier,
      guidance: event.guidance ?? noGuidance,
      changes: decideAgain(state, event.flags?.atEnd),
      status: complete ? state.status : hold ? 'paused' : 'in_progress',
      stopReason: complete ? state.stopReason : null,
      hold,
      // A new start means that the session should run.
      drain: null,
      limit: null,
      timeUp: false,
      retries: new Map([...state.retries].filter(([, retry]) => !retry.fired)),
      questions: new Map(
        [...lasting(state.questions)].filter(
          ([, question]) => question.answer === null || question.kind !== 'no-result',
        ),
      ),
      invocations: new Map([...state.invocations].map(([id, invocation]) => [id, triedAgain(invocation)])),
      ...modeOf(state).started(state, event),
    };
  },

  'session.stopped': (state, event, own) => ({
    running: false,
    tasks: leftOpen(state, own),
    spentMs: spentUntil(state, Date.parse(event.at)),
    host: null,
    drain: null,
    questions: lasting(state.questions),
    // Permissions for the session end with its process.
    remembered: new Map(),
    status: event.status,
    stopReason: event.reason,
    // The status records the abort. Feedback may still start the next iteration.
    abort: event.status === 'aborted' ? null : state.abort,
    ...(state.hold?.stage === 'pausing' ? pauseAtStop(state, event.status, own) : {}),
  }),

  'settings.changed': (state, event) => ({ settings: withSet(state.settings, event.set) }),

  'guidance.changed': (_state, event) => ({ guidance: event.guidance }),

  'state.entered': (state, event, own) => {
    const patch = modeOf(state).entering(state, event.state, own);
    return {
      state: event.state,
      previous: event.previous,
      startedHere: 0,
      ...patch,
      ...(patch?.hold === null ? withoutHold(state, own) : {}),
    };
  },

  'iteration.started': (state, event, own) => {
    const [head] = state.changes.train;
    const inherited = new Map(event.tasks.map((definition) => [definition.id, definition]));
    const tasks = new Map<string, TaskState>();
    for (const [id, task] of state.tasks) {
      const definition = inherited.get(id);
      tasks.set(id, definition ? fresh({ ...task, definition }, event.iteration) : task);
    }
    return {
      iteration: event.iteration,
      tasks,
      // What an aborted iteration had landed stays. The rest of its train is on no branch.
      changes: head === undefined ? state.changes : leaving(state, head, own, 0).changes,
      openedAgain: false,
      batch: [],
      wave: null,
      planItems: openItems(laterPlan),
      cycle: 1,
      newQuestions: 0,
      planApproved: false,
      retries: new Map(),
      noResults: new Map(),
      lostWords: new Map(),
      resumeMessages: [],
      knowledge: { ...state.knowledge, staged: [], promoted: [] },
      review: null,
      decision: null,
      gate: null,
      feedback: [],
      abort: null,
      stopReason: null,
      status: 'in_progress',
    };
  },

  'metadata.edited-by-hand': (state, event) => {
    if (event.key !== 'orchestrator.state') return null;
    const name = stateNameSchema.safeParse(event.value);
    return name.success && name.data in modeOf(state).stages ? { state: name.data, startedHere: 0 } : null;
  },

  'problem.found': (state, event) => ({
    problems: [...state.problems.slice(1 - mostProblems), event.fault],
  }),

  'limit.reached': (_state, event) => ({ limit: event.reason }),

  'snapshot.written': (state, event, own) => ({
    snapshots: put(own, state.snapshots, event.file, event.hash),
  }),

  'feedback.found': (state, event) => {
    const starts = event.iteration === state.iteration + 1;
    return {
      lookingForFeedback: false,
      feedback: starts ? event.directories : state.feedback,
      // Messages to the ended iteration are over. Later ones are for the next iteration.
      ...(starts && event.directories.length > 0 ? { standing: [], planWords: [] } : {}),
    };
  },
};

const withoutHold = (state: SessionState, own: Owned): Partial<SessionState> =>
  state.hold === null ? {} : { hold: null, signals: heldToTheEnd(state, own) };

/** Nothing runs any more that the pause would have to wait for: it holds a session that may be resumed. */
const pauseAtStop = (state: SessionState, status: SessionStatus, own: Owned): Partial<SessionState> =>
  status === 'paused' || status === 'in_progress'
    ? { hold: state.hold && { ...state.hold, stage: 'paused' }, signals: holdTold(state, own, 'paused') }
    : withoutHold(state, own);

/** Old journals name no mode, because there was only one. */
const modeFrom = (mode: SessionMode = 'waves'): Pick<SessionState, 'mode' | 'state'> => ({
  mode,
  state: modeOf({ mode }).first,
});

const mostProblems = 200;

/** A hold that a limit asked for ends with the stop; a person's hold stays until RESUME. */
export const isLimitHold = (state: SessionState): boolean =>
  state.hold !== null && state.hold.signal === null && state.hold.by === limitHolder;

/** Whether a resume would be held again. */
export const isHeldOnResume = (state: SessionState): boolean => state.hold !== null && !isLimitHold(state);

/** The holder's name when a limit is reached. */
export const limitHolder = 'limit';

/** The session's total running time in milliseconds at instant `ms` (since the epoch) of a run under way. */
export const spentUntil = ({ spentMs, startedAt }: SessionState, ms: number): number =>
  startedAt === '' ? spentMs : spentMs + Math.max(0, ms - Date.parse(startedAt));

/** What a task has before its first attempt. */
export const unbegun = {
  status: 'open',
  attempt: 0,
  failures: 0,
  crashes: 0,
  owner: null,
  reason: null,
  cause: null,
  startedAt: null,
  endedAt: null,
  submittedAt: null,
  review: 'open',
  unreviewed: false,
  verification: null,
  verifiesAlone: false,
  passedBeside: null,
  afresh: false,
  heldMs: 0,
  changed: [],
  uncommitted: null,
  unseenHooks: [],
  unchecked: [],
  replan: null,
  replans: 0,
} as const satisfies Partial<TaskState>;

/** A task in a new iteration: open, its attempts start at 1 again (src/engine/README.md). */
export const fresh = (task: TaskState, iteration: number): TaskState => ({
  ...task,
  ...unbegun,
  definition: { ...task.definition, iteration },
  iteration,
});

/** Calls again for a person: starting the session was an answer to what waited before. */
const triedAgain = (invocation: Invocation): Invocation =>
  invocation.stage === 'failed' && invocation.failure && isPermanent(invocation.failure.fault)
    ? { ...invocation, stage: 'interrupted', interruption: 'quit', failure: null }
    : invocation;

/** Without the questions that only the program which asked them can act on. */
const lasting = (questions: SessionState['questions']): SessionState['questions'] =>
  new Map([...questions].filter(([, { kind }]) => questionKinds[kind].holdsUp));
