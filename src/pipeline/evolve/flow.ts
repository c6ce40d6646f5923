import { isSameHolder } from '../../issues/lock.ts';
import { flowTaskOf } from '../../issues/task-list/stored-task.ts';
import type { EventOf } from '../event.ts';
import type { FlowEventType } from '../events/flow.ts';
import type { HandlersOf, Patch } from '../handler.ts';
import {
  type FlowState,
  type FlowWork,
  type Moved,
  noWork,
  type TeamMember,
} from '../modes/flow/flow-state.ts';
import { validator } from '../modes/flow/plan-words.ts';
import type { SessionState } from '../state.ts';
import { proposed } from './changes.ts';

/** Folds the facts about issues. */
export const flow: HandlersOf<FlowEventType> = {
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
      works: work(flow, task, { locked: true, left: undefined }),
    })),

  'result.recorded': (state, { task, result, moved, created }) =>
    change(state, (flow) => ({
      ...over(flow, moved),
      again: flow.again || created.length > 0,
      works: work(flow, task, { recorded: true, result }),
    })),

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

  'pr.looked': (state, { task, state: seen, feedback, head, moved }) =>
    change(state, (flow) => {
      const passed = seen === 'passed' ? (head ?? null) : null;
      const passedTwice = passed !== null && flow.works.get(task)?.passed === passed;
      return {
        ...over(flow, moved),
        works: work(flow, task, {
          watched: { state: seen, feedback, ...(head === undefined ? {} : { head }) },
          passed,
          passedTwice,
        }),
      };
    }),

  'pr.sent-back': (state, { task, feedback, escalated, moved }) =>
    change(state, (flow) => ({
      ...over(flow, moved),
      ...sentBack(flow, task, feedback),
      works: work(flow, task, { sentBack: { feedback, escalated } }),
    })),

  'issues.given-back': (state, { task, moved, left }) =>
    change(state, (flow) => ({
      ...withoutLocks(state, { ...flow, ...over(flow, moved) }, task),
      works: work(flow, task, { locked: false, ...(left === undefined ? {} : { left }) }),
    })),

  'team.formed': (state, { workers, at }) =>
    change(state, (flow) => ({
      workers: new Map([
        ...flow.workers,
        ...workers.map((worker): [string, TeamMember] => [
          worker.name,
          { ...worker, since: at, left: null, foreign: null },
        ]),
      ]),
    })),

  'task.claimed': (state, { task, worker, at }) =>
    change(state, ({ claims, messages }) => ({
      claims: new Map([...claims, [task, { worker, since: at }]]),
      ...(worker !== null && messages.woken.includes(worker)
        ? { messages: { ...messages, woken: messages.woken.filter((name) => name !== worker) } }
        : {}),
    })),

  'task.released': (state, { task, worker, at }) => ({
    ...change(state, (flow) => ({ ...freed(flow, (id) => id === task, at) })),
    ...(worker === null ? {} : { invocations: withoutSleeping(state, worker) }),
  }),

  'worker.left': (state, { worker, reason, at }) => ({
    ...change(state, (flow) => {
      const member = flow.workers.get(worker);
      if (member === undefined) return {};
      const rest = freed(flow, (id) => flow.claims.get(id)?.worker === worker && isLeft(state, id), at);
      const workers = new Map([
        ...(rest.workers ?? flow.workers),
        [worker, { ...member, since: at, left: reason }],
      ]);
      return { ...rest, workers };
    }),
    invocations: withoutSleeping(state, worker),
  }),

  'worker.knocked': (state, { name, role, program, process, key, at }) =>
    change(state, ({ workers }) => ({
      workers: new Map([
        ...workers,
        [name, { name, role, since: at, left: null, foreign: { program, process, key, admittedBy: null } }],
      ]),
    })),

  'worker.admitted': (state, { worker, by, at }) =>
    change(state, ({ workers }) => {
      const member = workers.get(worker);
      if (member === undefined || member.foreign === null) return {};
      const foreign = { ...member.foreign, admittedBy: by };
      return { workers: new Map([...workers, [worker, { ...member, since: at, foreign }]]) };
    }),

  'worker.messaged': (state, { refused, kind, to }) =>
    change(state, ({ messages }) => {
      if (refused !== undefined) return { messages: { ...messages, refused: messages.refused + 1 } };
      const woken = kind === 'wake' && to !== null ? [...messages.woken, to] : messages.woken;
      return { messages: { ...messages, sent: messages.sent + 1, woken } };
    }),

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
          : work(flow, task, { locked: false, lost: reason }),
    })),
};

/** Marks the paused invocations of a worker that left for a new try by others: a resume would wait for that worker for ever. */
const withoutSleeping = ({ invocations }: SessionState, worker: string): SessionState['invocations'] =>
  [...invocations.values()].some((each) => each.worker === worker && each.stage === 'paused')
    ? new Map(
        [...invocations].map(([id, each]) => [
          id,
          each.worker === worker && each.stage === 'paused'
            ? { ...each, stage: 'interrupted', interruption: 'retry' }
            : each,
        ]),
      )
    : invocations;

/** Not settled: somebody has to do it. */
const isLeft = ({ tasks }: SessionState, id: string): boolean => {
  const status = tasks.get(id)?.status;
  return status === 'open' || status === 'running' || status === 'failed';
};

/** Takes claims away, and notes since when their workers are free. */
const freed = (
  { claims, workers }: FlowState,
  isFreed: (task: string) => boolean,
  at: string,
): Partial<FlowState> => {
  const owners = new Set(
    [...claims].flatMap(([id, { worker }]) => (isFreed(id) && worker !== null ? [worker] : [])),
  );
  return {
    claims: new Map([...claims].filter(([id]) => !isFreed(id))),
    workers: new Map(
      [...workers].map(([name, member]) => [name, owners.has(name) ? { ...member, since: at } : member]),
    ),
  };
};

/** The result of an attempt that its agent completed. */
export const flowSubmitted = (state: SessionState, event: EventOf<'task.submitted'>): Patch =>
  change(state, (flow) => ({
    works: work(flow, event.task, {
      result: event.result ?? {},
      recorded: false,
      verdict: null,
      approved: null,
      words: null,
    }),
  }));

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

/** A round counts once for each commit that was refused; what a person takes up again is none. */
const sentBack = (
  { works, rounds, refused }: FlowState,
  task: string,
  feedback: string,
): Pick<FlowState, 'rounds' | 'refused'> => {
  const head = works.get(task)?.watched?.head ?? null;
  const isNew = head !== null && refused.get(task)?.head !== head;
  return {
    rounds: isNew ? new Map([...rounds, [task, (rounds.get(task) ?? 0) + 1]]) : rounds,
    refused: new Map([...refused, [task, { feedback, head }]]),
  };
};

const change = (state: SessionState, edit: (flow: FlowState) => Partial<FlowState>): Patch =>
  state.flow && { flow: { ...state.flow, ...edit(state.flow) } };

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
