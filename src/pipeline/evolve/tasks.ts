import type { Message } from '../../agents/port.ts';
import { editedByHand } from '../../tasks/by-hand.ts';
import { passedBeside } from '../changes/outdated.ts';
import type { EventOf } from '../event.ts';
import { causeOf } from '../events/failure-cause.ts';
import type { HandlersOf, Patch } from '../handler.ts';
import { change, drop, type Owned } from '../maps.ts';
import { isReviewedFirst } from '../modes/flow/code-review.ts';
import { modeOf } from '../modes/index.ts';
import { requestOf, slotsOfTask } from '../slot.ts';
import type { SessionState, TaskState } from '../state.ts';
import { armed, committed, union } from './edit-changes.ts';
import { flowSubmitted } from './flow.ts';
import { fromConflict, lessons, mergedMessages, saidTo } from './lessons.ts';
import { openedAgain } from './opened-again.ts';
import { markStale, settle } from './settle.ts';

/** The life of a task (src/engine/README.md, States: attempts, settled tasks). */
export const tasks: HandlersOf<
  | 'task.started'
  | 'task.submitted'
  | 'task.verified'
  | 'verify.disturbed'
  | 'verify.outdated'
  | 'task.qualified'
  | 'task.failed'
  | 'task.interrupted'
  | 'task.escalated'
  | 'task.reset'
  | 'task.cancelled'
  | 'task.replaced'
  | 'task.file-missing'
  | 'task.edited-by-hand'
> = {
  'task.started': (state, event, own) =>
    state.invocations.get(event.invocation)?.stale
      ? null
      : {
          tasks: change(own, state.tasks, event.task, (task) => ({
            ...task,
            status: 'running',
            attempt: event.attempt,
            iteration: state.iteration,
            owner: event.owner,
            reason: null,
            startedAt: event.at,
            endedAt: null,
            submittedAt: null,
            heldMs: 0,
          })),
        },

  'task.submitted': (state, event, own) => ({
    ...flowSubmitted(state, event),
    ...returned(state, event, own, (task) => ({
      ...task,
      status: 'review',
      attempt: event.attempt,
      iteration: state.iteration,
      crashes: 0,
      reason: null,
      review: isImplementation(state, task) && !isReviewedFirst(state, task) ? 'passed' : 'open',
      unreviewed: false,
      verification: null,
      passedBeside: null,
      afresh: false,
      changed: union(task.changed, event.files),
      endedAt: event.at,
      submittedAt: event.at,
    })),
  }),

  'task.verified': (state, { task: id, results: verification, invocation }, own) => {
    // Before it is settled: then it is no longer known.
    const beside = passedBeside(state, invocation);
    return {
      ...settle(state, own, invocation),
      tasks: change(own, state.tasks, id, (task) => ({ ...task, verification, passedBeside: beside })),
    };
  },

  'verify.disturbed': (state, event, own) => ({
    ...settle(state, own, event.invocation),
    tasks: change(own, state.tasks, event.task, (task) => ({ ...task, verifiesAlone: true })),
  }),

  'verify.outdated': (state, event, own) => ({
    tasks: change(own, state.tasks, event.task, (task) => ({
      ...task,
      status: 'review',
      review: 'repeated',
      verification: null,
      passedBeside: null,
    })),
  }),

  'task.qualified': (state, event, own) => {
    const beside = passedBeside(state, event.invocation);
    return {
      ...mergeStands(state, event.task),
      ...returned(state, event, own, (task) => ({
        ...task,
        status: 'done',
        passedBeside: task.passedBeside ?? beside,
        iteration: state.iteration,
        crashes: 0,
        reason: null,
        ...committed(task, event),
        feedback: [],
        endedAt: event.at,
      })),
    };
  },

  'task.failed': (state, event, own) => {
    const invocation = event.invocation === undefined ? undefined : state.invocations.get(event.invocation);
    const cap = event.final ? state.settings.retries.max_attempts : 0;
    return returned(state, event, own, (task) => ({
      ...task,
      status: 'failed',
      iteration: state.iteration,
      failures: Math.max(task.failures + (event.counts ? 1 : 0), cap),
      crashes: event.counts ? 0 : task.crashes,
      reason: event.reason,
      cause: event.cause ?? causeOf(event.reason),
      changed: union(
        task.changed,
        invocation?.outcome?.role === 'Executor' ? invocation.outcome.files_modified : [],
      ),
      feedback: lessons(task, event, invocation),
      ...(event.afresh === true ? { afresh: true } : {}),
      ...fromConflict(task, event),
      endedAt: event.at,
    }));
  },

  'task.interrupted': (state, event, own) => {
    const invocation = event.invocation === undefined ? undefined : state.invocations.get(event.invocation);
    const crashed = (invocation?.interruption ?? event.reason) === 'crash';
    const edit = (task: TaskState): TaskState => ({
      ...task,
      status: 'open',
      crashes: crashed ? task.crashes + 1 : task.crashes,
      reason: event.reason,
      // The next attempt gets the messages that a person sent to the lost one.
      feedback: mergedMessages(task.feedback, saidTo(task, invocation)),
      endedAt: event.at,
    });
    return {
      ...settle(state, own, event.invocation),
      tasks: change(own, state.tasks, event.task, edit),
    };
  },

  'task.escalated': (state, event, own) => {
    // The same id as the guidance of a broadcast: nobody hears an order twice.
    const by = state.invocations.get(event.invocation ?? '')?.escalatedBy;
    const id = by ?? `escalation:${event.task}:${event.attempt}`;
    return returned(state, event, own, (task) => ({
      ...task,
      status: 'open',
      reason: event.message,
      replan: event.message,
      feedback: task.orders.some((order) => order.id === id)
        ? task.feedback
        : mergedMessages(task.feedback, [{ id, kind: 'STEER', text: event.message }]),
      endedAt: event.at,
    }));
  },

  'task.reset': (state, event, own) => {
    const text = event.message;
    const told: readonly Message[] =
      text === undefined
        ? []
        : [
            {
              id: event.signal ?? `reset:${event.seq}`,
              kind: 'RETRY',
              text,
              ...(event.from === undefined ? {} : { from: event.from }),
            },
          ];
    return {
      ...rearmed(state, own, event.task),
      ...modeOf(state).reopened(state, event.task),
      ...openedAgain(state),
      tasks: change(own, state.tasks, event.task, (task) => ({
        ...armed(task),
        status: 'open',
        iteration: state.iteration,
        reason: event.reason,
        changed: task.status === 'done' ? [] : task.changed,
        feedback: mergedMessages(task.feedback, told),
        replan: null,
        replans: 0,
        definitionMissing: false,
      })),
    };
  },

  'task.cancelled': (state, event, own) => ({
    ...rearmed(state, own, event.task),
    ...withoutTask(state, event.task),
    tasks: change(own, state.tasks, event.task, (task) => ({
      ...task,
      status: 'cancelled',
      iteration: state.iteration,
      reason: event.reason,
      replan: null,
      endedAt: event.at,
    })),
  }),

  'task.replaced': (state, event, own) => ({
    ...markStale(state, own, event.task),
    ...withoutTask(state, event.task),
    tasks: change(own, state.tasks, event.task, (task) => ({
      ...task,
      status: 'cancelled',
      iteration: state.iteration,
      reason: `replaced by ${event.by.join(', ')}`,
      definition: { ...task.definition, replaced_by: event.by },
      endedAt: event.at,
    })),
  }),

  'task.file-missing': (state, event, own) => ({
    tasks: change(own, state.tasks, event.task, (task) => ({ ...task, definitionMissing: true })),
  }),

  'task.edited-by-hand': (state, event, own) => ({
    ...rearmed(state, own, event.task),
    ...(event.to === 'done' ? mergeStands(state, event.task) : {}),
    ...(event.to === 'open' ? {} : withoutTask(state, event.task)),
    tasks: change(own, state.tasks, event.task, (task) => ({
      ...armed(task),
      // A person's "in progress" starts no work by itself, so the task is open.
      status: event.to === 'running' ? 'open' : event.to,
      // A person's `[F]` is final: no attempt is left.
      failures: event.to === 'failed' ? state.settings.retries.max_attempts : 0,
      iteration: state.iteration,
      reason: editedByHand,
    })),
  }),
};

/** The task is done: its newest merge stays. */
const mergeStands = ({ changes }: SessionState, task: string): Patch =>
  changes.train.some((member) => member.task === task)
    ? { changes: { ...changes, train: changes.train.filter((member) => member.task !== task) } }
    : null;

/** A flow implements in worktrees; where nobody reviews the work, the merge follows at once. */
const isImplementation = (state: SessionState, { definition }: TaskState): boolean =>
  state.mode === 'flow' && definition.phase === 'implement';

/** A task that its agent returned: removes it from the batch and settles its invocation. */
const returned = (
  state: SessionState,
  event: EventOf<'task.submitted' | 'task.qualified' | 'task.failed' | 'task.escalated'>,
  own: Owned,
  edit: (task: TaskState) => TaskState,
): Patch => ({
  ...settle(state, own, event.invocation),
  ...withoutTask(state, event.task),
  tasks: change(own, state.tasks, event.task, (task) => ({ ...edit(task), verifiesAlone: false })),
});

const withoutTask = ({ batch }: SessionState, id: string): Pick<SessionState, 'batch'> => {
  // Tasks return in about the order of their start, so the search is short and the rest is copied in one piece. A wave may have thousands.
  const index = batch.indexOf(id);
  return { batch: index < 0 ? batch : batch.toSpliced(index, 1) };
};

/** A person's decision about the task ends its retries, counts and questions. Running work on it becomes stale. */
const rearmed = (state: SessionState, own: Owned, task: string): Patch => {
  let { retries, noResults, questions } = state;
  for (const slot of slotsOfTask(task)) {
    retries = drop(own, retries, slot);
    noResults = drop(own, noResults, slot);
    questions = drop(own, questions, requestOf(slot));
  }
  const known = state.tasks.get(task);
  for (const { request } of known ? questionsAbout(state, known) : [])
    questions = drop(own, questions, request);
  return { ...markStale(state, own, task), retries, noResults, questions };
};

/** Questions to a person about the task's attempt, such as its review and its merge. */
const questionsAbout = ({ questions }: SessionState, { definition, attempt }: TaskState) =>
  [...questions.values()].filter(
    (question) => question.task === definition.id && question.attempt === Math.max(attempt, 1),
  );
