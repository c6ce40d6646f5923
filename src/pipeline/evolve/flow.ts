import { isSameHolder } from '../../issues/lock.ts';
import { type FlowResult, flowResult } from '../../issues/task-list/flow-result.ts';
import { flowTaskOf } from '../../issues/task-list/stored-task.ts';
import type { EventOf } from '../event.ts';
import type { IssueEventType } from '../events/flow.ts';
import type { HandlersOf, Patch } from '../handler.ts';
import { change as changeTask } from '../maps.ts';
import { type FlowState, type FlowWork, isLocked, type Moved, noWork } from '../modes/flow/flow-state.ts';
import { validator } from '../modes/flow/plan-words.ts';
import { addressOf, isOnline } from '../modes/flow/pull-request.ts';
import type { SessionState, TaskState } from '../state.ts';
import { changeFlow as change } from './change-flow.ts';
import { proposed } from './changes.ts';

/** Folds the facts about issues. */
export const flow: HandlersOf<IssueEventType> = {
  'flow.step-started': (state, { step }) =>
    change(state, ({ away }) => ({
      step,
      overtaken: false,
      refusal: null,
      unseen: false,
      away: away && { ...away, due: false },
    })),

  'issues.read': (state, { issues, planned, files }) =>
    change(state, (flow) => ({
      ...stepOver,
      due: false,
      reading: { issues, planned, files },
      // A person may have brought one back.
      gone: flow.gone.filter((id) => !issues.some((issue) => issue.id === id)),
      // Open pull requests are looked at again, too.
      works: new Map([...flow.works].map(([id, each]) => [id, { ...each, watched: null }])),
    })),

  'issues.locked': (state, { task, moved }) =>
    change(state, (flow) => ({
      ...over(flow, moved),
      works: work(flow, task, { hold: { by: 'us' }, left: undefined }),
    })),

  'issues.seen': (state, { task, commit, moved }) =>
    change(state, (flow) => ({ ...over(flow, moved), works: work(flow, task, { seenFor: commit }) })),

  'result.recorded': (state, { task, result, moved, created, said = [] }, own) => {
    const kept = resultOf(state, task, result, true);
    return {
      ...change(state, (flow) => ({
        ...over(flow, moved),
        again: flow.again || created.length > 0,
        works: work(flow, task, { result: kept }),
        // What was said since this session first opened it is still to be answered.
        ...(said.length === 0 || flow.refused.has(task)
          ? {}
          : { answered: new Map([...flow.answered, [task, said]]) }),
      })),
      ...(kept?.phase === 'review' ? { tasks: changeTask(own, state.tasks, task, withPerson) } : {}),
    };
  },

  'merge.proposed': (state, { task, commit, ...event }, own) => {
    const status = state.tasks.get(task)?.status;
    return {
      ...change(state, () => stepOver),
      // A person may have cancelled it while git worked.
      ...(status === 'open' || status === 'review'
        ? proposed(state, { task, before: commit, ...event }, own)
        : {}),
    };
  },

  'plan.decided': (state, { task, verdict, moved, reason, by, approved = null }) =>
    change(state, (flow) => ({
      ...over(flow, moved),
      works: work(flow, task, {
        verdict,
        approved,
        words: reason === '' || by === validator ? null : { text: reason, by },
      }),
    })),

  'pr.looked': (state, { task, state: seen, feedback, head, comments, moved }) =>
    change(state, (flow) => {
      const before = flow.works.get(task)?.passed?.commit;
      return {
        ...over(flow, moved),
        works: work(flow, task, {
          watched: {
            state: seen,
            feedback,
            ...(head === undefined ? {} : { head }),
            ...(comments === undefined ? {} : { comments }),
          },
          passed: seen === 'passed' && head !== undefined ? { commit: head, twice: head === before } : null,
        }),
      };
    }),

  'pr.drafted': (state, { task, shown, url, done, text, said = [] }) =>
    change(state, (flow) => ({
      ...stepOver,
      works: work(flow, task, { draft: { shown, url, done, text } }),
      ...(said.length === 0 || flow.works.get(task)?.draft !== undefined
        ? {}
        : { answered: new Map([...flow.answered, [task, said]]) }),
    })),

  'pr.sent-back': (state, { task, feedback, escalated, moved }) =>
    change(state, (flow) => ({
      ...over(flow, moved),
      ...sentBack(flow, task, feedback, escalated),
      works: work(flow, task, { sentBack: { feedback, escalated } }),
    })),

  'issues.given-back': (state, { task, moved, left }) =>
    change(state, (flow) => ({
      ...withoutLocks(state, { ...flow, ...over(flow, moved) }, task),
      works: work(flow, task, { ...unlocked(flow, task), ...(left === undefined ? {} : { left }) }),
    })),

  'flow.step-refused': (state, { task, reason, lost, gone, away = false, unseen = false }) =>
    change(state, (flow) => ({
      ...stepOver,
      ...(away ? waiting(state, flow) : {}),
      // A reading that is due still is when the step of a task was refused.
      due: task === undefined ? false : flow.due,
      refusal: lost || (away && mayTryAgain(state, flow)) ? null : reason,
      unseen: !lost && unseen,
      ...(gone === undefined ? {} : without(flow, gone)),
      works:
        task === undefined || !lost || gone !== undefined
          ? flow.works
          : work(flow, task, { hold: { by: 'others', reason } }),
    })),
};

/** The result of an attempt that its agent completed. */
export const flowSubmitted = (state: SessionState, event: EventOf<'task.submitted'>): Patch =>
  change(state, (flow) => ({
    works: work(flow, event.task, {
      result: resultOf(state, event.task, event.result ?? {}, false),
      verdict: null,
      approved: null,
      words: null,
    }),
  }));

/** `null` for a task that is none of the list. */
const resultOf = (
  { tasks }: SessionState,
  id: string,
  keys: Readonly<Record<string, unknown>>,
  recorded: boolean,
): FlowResult | null => {
  const task = tasks.get(id);
  const listed = task === undefined ? null : flowTaskOf(task.definition);
  return listed && flowResult(listed, keys, recorded);
};

/** A plan without a critique is with a person, as one with a critique is. */
const withPerson = (task: TaskState): TaskState =>
  task.status === 'done' || task.status === 'cancelled' ? task : { ...task, status: 'review' };

const unlocked = ({ works }: FlowState, task: string): Partial<FlowWork> =>
  isLocked(works.get(task) ?? noWork) ? { hold: noWork.hold } : {};

/** The step has ended, and the tracker answered. */
const stepOver = { step: null, away: null } as const;

/** Whether the step is taken once more, as a failed call of an agent is. */
const mayTryAgain = ({ settings }: SessionState, { away }: FlowState): boolean =>
  (away?.tries ?? 0) < settings.retries.backoff.length;

/** The step stays the one under way, so that no other is taken before it. */
const waiting = (state: SessionState, flow: FlowState): Partial<FlowState> =>
  mayTryAgain(state, flow)
    ? { step: flow.step, away: { tries: (flow.away?.tries ?? 0) + 1, due: false } }
    : {};

/** A round counts once for each commit that was refused, and for comments of members each time; what a person takes up again, or has to take over, is none. */
const sentBack = (
  { works, rounds, refused, answered }: FlowState,
  task: string,
  feedback: string,
  escalated: boolean,
): Pick<FlowState, 'rounds' | 'refused' | 'answered'> => {
  const watched = works.get(task)?.watched ?? null;
  const head = watched?.head ?? null;
  const isComment = watched?.state === 'commented';
  const isNew = !escalated && head !== null && (isComment || refused.get(task)?.head !== head);
  const work = works.get(task) ?? noWork;
  const url = isOnline(work) ? addressOf(work) : '';
  const comments = watched?.comments ?? [];
  return {
    rounds: isNew ? new Map([...rounds, [task, (rounds.get(task) ?? 0) + 1]]) : rounds,
    refused: new Map([...refused, [task, { feedback, head, isComment, url }]]),
    answered: new Map([...answered, [task, [...(answered.get(task) ?? []), ...comments]]]),
  };
};

/** The step has ended, and these issues are in other states now. */
const over = ({ reading }: FlowState, moved: readonly Moved[]): Partial<FlowState> => {
  const to = new Map(moved.map((move) => [move.issue, move.to]));
  return {
    ...stepOver,
    reading: reading && {
      ...reading,
      issues: reading.issues.map((issue) => ({ ...issue, state: to.get(issue.id) ?? issue.state })),
    },
  };
};

/** Our locks on the issues of a task have ended. */
const withoutLocks = (
  state: SessionState,
  { reading, holder }: FlowState,
  id: string,
): Partial<FlowState> => {
  const task = state.tasks.get(id);
  const ended = (task && flowTaskOf(task.definition)?.issues) ?? [];
  return {
    ...stepOver,
    reading: reading && {
      ...reading,
      issues: reading.issues.map(({ lock, ...issue }) =>
        lock === undefined ||
        (ended.includes(issue.id) && lock.holder !== null && isSameHolder(lock.holder, holder))
          ? issue
          : { ...issue, lock },
      ),
    },
  };
};

const without = ({ gone, reading }: FlowState, issue: string): Partial<FlowState> => ({
  gone: [...new Set([...gone, issue])],
  reading: reading && { ...reading, issues: reading.issues.filter(({ id }) => id !== issue) },
});

const work = ({ works }: FlowState, task: string, patch: Partial<FlowWork>): FlowState['works'] =>
  new Map([...works, [task, { ...(works.get(task) ?? noWork), ...patch }]]);
