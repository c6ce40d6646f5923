import type { WorkerEventType } from '../events/flow.ts';
import type { HandlersOf } from '../handler.ts';
import type { FlowState, TeamMember } from '../modes/flow/flow-state.ts';
import type { SessionState } from '../state.ts';
import { changeFlow as change } from './change-flow.ts';

/** Folds the facts about workers: the team, its claims and its messages. */
export const team: HandlersOf<WorkerEventType> = {
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
