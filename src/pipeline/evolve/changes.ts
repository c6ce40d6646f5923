import {
  type AttemptChanges,
  attemptKey,
  type ChangesState,
  type Conflict,
} from '../changes/changes-state.ts';
import type { EventOf } from '../event.ts';
import type { ChangesEventType } from '../events/changes.ts';
import { causeOf } from '../events/failure-cause.ts';
import type { HandlersOf, Patch } from '../handler.ts';
import { change, drop, type Owned, put } from '../maps.ts';
import { ownMessageId } from '../own-message.ts';
import { requestOf, slotOf } from '../slot.ts';
import type { SessionState, TaskState } from '../state.ts';
import { attempt, begun, over, task, union, with_ } from './edit-changes.ts';
import { leaving, without } from './leave-train.ts';
import { mergedMessages } from './lessons.ts';
import { settle } from './settle.ts';

/** What becomes of the changes of an attempt. */
export const changes: HandlersOf<ChangesEventType> = {
  'changes.opened': (state, { branch, base, directory, on: now, hooks }) => {
    // Opened again elsewhere, it still began where it began.
    const on = state.changes.session?.on ?? now;
    const known = { ...(on === undefined ? {} : { on }), ...(hooks === undefined ? {} : { hooks }) };
    return with_(state, { session: { branch, base, directory, ...known } });
  },

  'worktree.prepared': (state, event, own) =>
    attempt(state, event, own, (old) => ({ ...old, directory: event.directory, branch: event.branch })),

  'worktree.set-up': (state, event, own) => attempt(state, event, own, (old) => ({ ...old, isSetUp: true })),

  'attempt.snapshotted': (state, event, own) =>
    attempt(state, event, own, (old) => ({
      ...old,
      [event.moment]: event.commit,
      files: event.files ?? old.files,
      undeclared: event.undeclared ?? old.undeclared,
      beside: event.beside ?? old.beside,
      claimed: union(old.claimed, event.claimed ?? []),
      ...(event.moment === 'after' ? { endedAt: event.at } : {}),
    })),

  'review.passed': (state, event, own) => ({
    ...settle(state, own, event.invocation),
    ...task(state, event.task, own, {
      review: event.next === 'merge' ? 'passed' : 'agent-passed',
      unchecked: event.unchecked ?? [],
    }),
  }),

  'review.missed': (state, event, own) => {
    const slot = slotOf('TASK_REVIEW', event.task);
    const { noResults, ...settled } = { noResults: state.noResults, ...settle(state, own, event.invocation) };
    return {
      ...settled,
      noResults: drop(own, noResults, slot),
      questions: drop(own, state.questions, requestOf(slot)),
      ...task(
        state,
        event.task,
        own,
        event.next === 'merge' ? { review: 'passed', unreviewed: true } : { review: 'agent-passed' },
      ),
    };
  },

  'merge.started': (state, { take = null, anyway = false, ...event }, own) =>
    attempt(
      {
        ...state,
        ...with_(state, { step: { kind: 'merge', task: event.task, attempt: event.attempt, take, anyway } }),
      },
      event,
      own,
      (old) => ({
        ...old,
        deferred: false,
        allowed: old.allowed || anyway,
        overrules: take === null ? [] : (old.conflict?.against ?? []),
      }),
    ),

  'attempt.merged': (state, event, own) => ({
    ...attempt(
      over(state, {
        train: [...without(state, event.task), { task: event.task, attempt: event.attempt }],
        mergedFrom: joined(state.changes.mergedFrom, state.changes.workedOn.get(event.task) ?? []),
      }),
      event,
      own,
      (old) => ({ ...old, merged: event.commit, mergedOnto: event.before, conflict: null }),
      state.changes.merges + (event.commit === event.before ? 0 : 1),
    ),
    ...task(state, event.task, own, { review: 'merged' }),
  }),

  'merge.conflicted': (state, { files, against, hunks = [], ...event }, own) =>
    stuck(state, event, own, { files, against, hunks }),

  'merge.refused': (state, event, own) => {
    const known = state.changes.attempts.get(attemptKey(state.iteration, event.task, event.attempt));
    const { files = [], against = [], hunks = [] } = event.unresolved ? (known?.conflict ?? {}) : {};
    const { reason: refused, unaccepted = null } = event;
    return stuck(state, event, own, { files, against, hunks, refused, unaccepted });
  },

  'merge.deferred': (state, event, own) => ({
    ...attempt(over(state), event, own, (old) => ({ ...old, deferred: true })),
    // What a person chose counts for the conflict that was shown.
    ...task(state, event.task, own, { review: 'passed' }),
  }),

  'merge.verified': (state, event, own) => ({
    ...settle(state, own, event.invocation),
    ...task(state, event.task, own, { review: 'verified' }),
  }),

  'landing.started': (state, { task, attempt }) => with_(state, { step: { kind: 'land', task, attempt } }),

  'merge.landed': (state, event, own) => ({
    ...over(state, { train: without(state, event.task) }),
    tasks: change(own, state.tasks, event.task, (old) =>
      old.status === 'review' && Math.max(old.attempt, 1) === event.attempt
        ? { ...old, review: 'landed' }
        : old,
    ),
  }),

  'landing.refused': (state, event, own) => leaving(over(state), event, own, 0),

  'merge.rejected': (state, event, own) => {
    const settled = { ...state, ...settle(state, own, event.invocation) };
    const step = { kind: 'take-back', task: event.task, attempt: event.attempt } as const;
    const left = leaving({ ...settled, ...with_(settled, { step }) }, event, own, 1);
    return {
      ...left,
      tasks: change(own, left.tasks, event.task, (old) =>
        old.status === 'review' && Math.max(old.attempt, 1) === event.attempt ? rejected(old, event) : old,
      ),
    };
  },

  'merge.taken-back': (state, event, own) => attempt(over(state), event, own, (old) => old),

  'worktree.removed': (state, event, own) =>
    attempt(state, event, own, (old) => ({ ...old, directory: null })),

  'finish.started': (state, { how }) => with_(state, { step: { kind: 'finish', how } }),

  'changes.finished': (
    state,
    { how, commands = [], no_remote: noRemote = false, in_the_way: inTheWay = [], unsaved = [], take = [] },
  ) => {
    const { merges, unfinished } = state.changes;
    const refused = how === 'keep' && !state.attended ? (unfinished?.reason ?? null) : null;
    const unseen = refused !== null && unfinished?.unseen === true;
    return with_(state, {
      step: null,
      finished: { how, merges, commands, noRemote, refused, unseen, inTheWay, unsaved, take },
      unfinished: null,
    });
  },

  'finish.refused': (state, { reason, unseen = false, state: told = null }) =>
    with_(state, {
      step: null,
      unfinished: { reason, unseen, state: told, times: (state.changes.unfinished?.times ?? 0) + 1 },
    }),

  'teardown.started': (state) => with_(state, { step: { kind: 'tear-down' } }),

  'teardown.ended': (state) => with_(state, { step: null, tornDown: state.invocationsStarted }),

  'undo.asked': (state, { way, task, attempt = null }) => with_(state, { asked: { way, task, attempt } }),

  'undo.granted': (state, { way, task, attempt = null }) =>
    with_(state, { asked: null, step: { kind: 'turn', way, task, attempt } }),

  // What was cut off stays known: the next start, or the same command, completes it.
  'undo.refused': (state) => with_(state, { asked: null, step: null }),

  'undo.started': (state, { way, task, files, attempt = null, patch = null }) =>
    with_(state, { turning: { way, task, attempt, files, patch } }),

  'changes.undone': (state, event) =>
    with_(state, { ...noTurn(state), attempts: turned(state, event, event.patch) }),

  'changes.redone': (state, event) =>
    with_(state, { ...noTurn(state), attempts: turned(state, event, null) }),
};

/** Records that an attempt works on a runner. `null`: on this machine. */
export const workedOn = (
  state: SessionState,
  { mode, task: id, runner }: EventOf<'invocation.started'>,
  own: Owned,
): Patch => {
  if (mode !== 'IMPLEMENT' || id === undefined || runner === undefined) return {};
  const known = state.changes.workedOn;
  return with_(state, { workedOn: put(own, known, id, joined(known.get(id) ?? [], [runner])) });
};

const joined = (known: readonly string[], added: readonly string[]): readonly string[] =>
  added.every((each) => known.includes(each)) ? known : [...new Set([...known, ...added])];

/** The undo or redo under way has ended. */
const noTurn = ({ changes: { step } }: SessionState): Pick<ChangesState, 'turning' | 'step'> => ({
  turning: null,
  step: step?.kind === 'turn' ? null : step,
});

/** Marks attempts as taken back, with the patch of their work, or as brought again. */
const turned = (
  { changes: { attempts } }: SessionState,
  { task, attempts: names }: { readonly task: string; readonly attempts: readonly string[] },
  undone: string | null,
): ReadonlyMap<string, AttemptChanges> =>
  new Map([
    ...attempts,
    ...names.map((name): [string, AttemptChanges] => {
      const number = Number(name.slice(name.lastIndexOf('/') + 1));
      return [name, { ...(attempts.get(name) ?? begun(task, number)), undone }];
    }),
  ]);

const rejected = (
  task: TaskState,
  { attempt, reason, cause, alone }: EventOf<'merge.rejected'>,
): TaskState => ({
  ...task,
  review: 'rejected',
  reason,
  cause: cause ?? causeOf(reason),
  afresh: alone !== true,
  feedback: mergedMessages(task.feedback, [
    { id: ownMessageId('merge', task.definition.id, attempt), kind: 'RETRY', text: reason, from: 'Reviewer' },
  ]),
});

/** An attempt of a merge, to be verified: the commit is where it begins. */
export const proposed = (
  state: SessionState,
  {
    task: id,
    attempt: number,
    before,
    directory,
    branch,
  }: Pick<AttemptChanges, 'task' | 'attempt' | 'before' | 'directory' | 'branch'>,
  own: Owned,
): Patch => ({
  ...attempt(state, { task: id, attempt: number }, own, (old) => ({ ...old, before, directory, branch })),
  ...task(state, id, own, {
    status: 'review',
    attempt: number,
    review: 'open',
    verification: null,
    verifiesAlone: false,
    reason: null,
    cause: null,
  }),
});

/** A merge that waits for a person. */
const stuck = (
  state: SessionState,
  event: { readonly task: string; readonly attempt: number },
  own: Owned,
  why: Pick<Conflict, 'files' | 'against' | 'hunks'> & Partial<Pick<Conflict, 'refused' | 'unaccepted'>>,
): Patch => ({
  ...attempt(over(state), event, own, (old) => ({
    ...old,
    conflict: { refused: null, unaccepted: null, ...why, times: (old.conflict?.times ?? 0) + 1 },
  })),
  ...task(state, event.task, own, { review: 'conflict' }),
});
