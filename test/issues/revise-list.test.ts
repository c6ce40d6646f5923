import fc from 'fast-check';
import { expect, it } from 'vitest';
import { groupOf } from '../../src/issues/group.ts';
import type { Issue } from '../../src/issues/issue.ts';
import { indexIssues } from '../../src/issues/issue-index.ts';
import type { FlowPhases } from '../../src/issues/position/flow-phases.ts';
import { positionOf } from '../../src/issues/position/position.ts';
import { type IssueState, isTerminal, stateRank } from '../../src/issues/state.ts';
import { detectStreams, streamsOfGroup } from '../../src/issues/streams/streams.ts';
import { buildTaskList } from '../../src/issues/task-list/build-task-list.ts';
import { missingTasks, splitByStreams } from '../../src/issues/task-list/change-task-list.ts';
import type { FlowTask } from '../../src/issues/task-list/flow-task.ts';
import type { ListEntry, ListFacts } from '../../src/issues/task-list/list-entry.ts';
import { outlookOf } from '../../src/issues/task-list/list-outlook.ts';
import { reviseList } from '../../src/issues/task-list/revise-list.ts';
import { buildGraph, standing } from '../../src/tasks/graph.ts';
import { issue } from '../helpers/issues.ts';
import { draws } from '../helpers/test-form.ts';

/** A list under way, with the issues as the tracker has them. */
interface World {
  readonly issues: Map<string, Issue>;
  readonly gone: Set<string>;
  readonly entries: Map<string, ListEntry>;
  readonly review: ListFacts['review'];
  readonly phases: FlowPhases;
  /** The files that research found, by issue. */
  readonly files: Map<string, readonly string[]>;
}

const factsOf = ({ issues, gone, review }: World): ListFacts => ({
  index: indexIssues([...issues.values()]),
  gone,
  review,
  autoMerge: true,
});

const entry = (task: FlowTask, more: Partial<ListEntry> = {}): ListEntry => ({
  task,
  standing: 'open',
  kept: false,
  lost: null,
  action: null,
  ...more,
});

const begun = (
  issues: readonly Issue[],
  review: ListFacts['review'] = 'auto',
  phases: FlowPhases = 'all',
): World => {
  const world = {
    issues: new Map(issues.map((each) => [each.id, each])),
    ...{ gone: new Set<string>(), entries: new Map<string, ListEntry>(), files: new Map(), review, phases },
  };
  plan(world);
  return world;
};

/** The list of the position as it is now, as if no task had been made before. */
const fresh = (world: World): readonly FlowTask[] => {
  const { index, review, autoMerge } = factsOf(world);
  const group = groupOf(index, index.byId.has('9') ? '9' : ([...world.issues.keys()][0] ?? ''));
  const streams = group === null ? [] : streamsOfGroup(index, group, world.files);
  const facts = { review, autoMerge, phases: world.phases, planned: new Set<string>(), me: null };
  const position = positionOf(index, group, { ...facts, streams: streams.length });
  return buildTaskList(index, position, { review, autoMerge, streams });
};

/** Adds what the list lacks, as before the work and after a split. Returns whether that was something. */
const plan = (world: World): boolean => {
  const existing = [...world.entries.values()].flatMap(({ task, standing: at }) =>
    at === 'off' ? [] : [task],
  );
  const missing = missingTasks(factsOf(world).index, existing, fresh(world)).filter(
    ({ id }) => !world.entries.has(id),
  );
  for (const task of missing) world.entries.set(task.id, entry(task));
  return missing.length > 0;
};

/** Gives each stream a plan and a pull request of its own, once research has shown them. */
const divide = (world: World): void => {
  const all = [...world.entries.values()];
  const isTail = all.some(({ task, standing: at }) => task.span === 'group' && at === 'open');
  const isEarly = all.some(
    ({ task: { phase }, standing: at }) =>
      (phase === 'triage' || phase === 'research') && (at === 'open' || at === 'active'),
  );
  if (all.some(({ task }) => task.span === 'stream') || !isTail || isEarly) return;
  const begunTasks = all.flatMap(({ task, standing: at }) =>
    at === 'open' || at === 'off' ? [] : [task.id],
  );
  const { added, replaced } = splitByStreams(
    all.map(({ task }) => task),
    fresh(world),
    new Set(begunTasks),
  );
  for (const task of added) world.entries.set(task.id, entry(task));
  for (const [id, parts] of replaced) {
    const known = world.entries.get(id);
    if (known !== undefined)
      world.entries.set(id, { ...known, standing: 'off', task: { ...known.task, replaced_by: parts } });
  }
};

/** Revises the list until nothing is left to say, as the pipeline does. */
const revise = (world: World): void => {
  for (let rounds = 0; rounds < 20; rounds += 1) {
    const { changed, added, off } = reviseList([...world.entries.values()], factsOf(world));
    if (changed.length + added.length === 0) {
      const [first] = off;
      if (first === undefined) return;
      put(world, first.id, { standing: 'off' });
      continue;
    }
    for (const { id, issues, blockedBy } of changed) {
      const before = world.entries.get(id)?.task;
      // The engine tells a list only of what it does not hold yet, and would tell the same without end.
      const isNew = differ(issues, before?.issues ?? []) || differ(blockedBy, before?.blockedBy ?? []);
      expect(isNew, `${id}: ${issues.join(' ')} ← ${blockedBy.join(' ')}`).toBe(true);
    }
    for (const task of [...changed, ...added])
      world.entries.set(task.id, { ...(world.entries.get(task.id) ?? entry(task)), task });
  }
  throw new Error('the list never comes to rest');
};

const differ = (some: readonly string[], others: readonly string[]): boolean =>
  some.toSorted().join(' ') !== others.toSorted().join(' ');

const put = ({ entries }: World, id: string, more: Partial<ListEntry>): void => {
  const known = entries.get(id);
  if (known !== undefined) entries.set(id, { ...known, ...more });
};

const move = ({ issues }: World, id: string, state: IssueState): void => {
  const known = issues.get(id);
  if (known !== undefined) issues.set(id, { ...known, state });
};

const graphOf = ({ entries }: World) => buildGraph([...entries.values()].map(({ task }) => task));

const statuses = {
  open: 'open',
  active: 'running',
  done: 'done',
  failed: 'failed',
  off: 'cancelled',
} as const;

const standingOf = (world: World) =>
  standing(
    graphOf(world),
    new Map([...world.entries].map(([id, each]) => [id, { status: statuses[each.standing], failures: 9 }])),
    3,
  );

const shown = ({ entries }: World): readonly string[] =>
  [...entries.values()]
    .filter(({ standing: at }) => at === 'open')
    .map(
      ({ task: { id, issues, blockedBy } }) =>
        `${id} [${issues.join(' ')}]${blockedBy.length === 0 ? '' : ` ← ${blockedBy.join(' ')}`}`,
    );

const planned = (id: string, more: Partial<Issue> = {}): Issue =>
  issue(id, { state: 'Research Needed', parent: '9', ...more });

const three = (): World => begun([issue('9'), planned('1'), planned('2'), planned('3')]);

it('a failed research takes its issue out of the plan, and the others go on', () => {
  const world = three();
  put(world, 'research-1', { standing: 'done' });
  put(world, 'research-2', { standing: 'failed' });
  revise(world);
  expect(shown(world)).toEqual([
    'research-3 [3]',
    'plan-1_group [1 3] ← research-1 research-3',
    'review-1_group [1 3] ← plan-1_group',
    'implement-1 [1] ← review-1_group',
    'implement-2 [2] ← review-1_group implement-1 research-2',
    'implement-3 [3] ← review-1_group implement-1',
    'pr-1_group [1 3] ← implement-1 review-1_group implement-3',
    'merge-1_group [1 3] ← pr-1_group',
  ]);
  expect([...standingOf(world).unreachable]).toEqual([
    ['implement-2', { blocker: 'research-2', why: 'failed' }],
  ]);
});

it('an issue whose research a person tries again after its group was planned gets a plan, a review and a pull request of its own', () => {
  const world = three();
  for (const id of ['research-1', 'research-3']) put(world, id, { standing: 'done' });
  put(world, 'research-2', { standing: 'failed' });
  revise(world);
  for (const id of ['plan-1_group', 'review-1_group', 'implement-1', 'implement-3', 'pr-1_group'])
    put(world, id, { standing: 'done' });
  for (const id of ['1', '3']) move(world, id, 'In Review');
  revise(world);
  put(world, 'research-2', { standing: 'open' });
  revise(world);
  expect(shown(world)).toEqual([
    'research-2 [2]',
    'implement-2 [2] ← review-1_group implement-1 research-2 review-2',
    'merge-1_group [1 3] ← pr-1_group',
    'plan-2 [2] ← research-2',
    'review-2 [2] ← plan-2',
    'pr-2 [2] ← implement-2',
    'merge-2 [2] ← pr-2',
  ]);
});

it('work that is done keeps its pull request when the implementation after it failed', () => {
  const world = begun([
    issue('1', { state: 'In Progress' }),
    issue('2', { state: 'In Progress', blockedBy: ['1'] }),
    issue('3', { state: 'In Progress', blockedBy: ['2'] }),
  ]);
  put(world, 'implement-1', { standing: 'done' });
  put(world, 'implement-2', { standing: 'failed' });
  revise(world);
  expect(shown(world)).toEqual([
    'implement-3 [3] ← implement-2',
    'pr-1_group [1] ← implement-1',
    'merge-1_group [1] ← pr-1_group',
  ]);
});

it('a list that has the same issues in another order is not told again and again', () => {
  const world = begun([
    issue('1', { state: 'In Progress' }),
    issue('2', { state: 'In Progress', blockedBy: ['1'] }),
    issue('3', { state: 'In Progress', blockedBy: ['1'] }),
    issue('4', { state: 'In Progress', blockedBy: ['1'] }),
  ]);
  put(world, 'implement-1', { standing: 'done' });
  put(world, 'implement-2', { standing: 'active' });
  put(world, 'implement-4', { standing: 'off' });
  move(world, '4', 'Human Needed');
  world.issues.set('2', issue('2', { state: 'In Progress', blockedBy: ['4'] }));
  revise(world);
  expect(shown(world)).toContain('merge-1_group [1 3 2] ← pr-1_group');
  // As a session has it in which nothing was left out before: 2 may not go on, and is covered because its work is under way.
  for (const id of ['pr-1_group', 'merge-1_group']) {
    const { task } = world.entries.get(id) ?? {};
    if (task !== undefined) put(world, id, { task: { ...task, issues: ['1', '2', '3'] } });
  }
  const { changed, added } = reviseList([...world.entries.values()], factsOf(world));
  expect([...changed, ...added]).toEqual([]);
});

it('nothing is merged whose pull request was cancelled, though its issue is in review by then', () => {
  const world = begun([issue('1', { state: 'In Progress' })]);
  put(world, 'implement-1', { standing: 'done' });
  put(world, 'pr-1', { standing: 'off' });
  move(world, '1', 'In Review');
  revise(world);
  expect(shown(world)).toEqual(['merge-1 [1] ← pr-1']);
  expect(standingOf(world).unreachable.get('merge-1')).toEqual({ blocker: 'pr-1', why: 'cancelled' });
});

it('streams that show only when one branch is under way change nothing', () => {
  const world = begun(['1', '2', '4'].map((id) => planned(id, { state: 'Ready for Plan' })));
  for (const id of ['plan-1_group', 'review-1_group']) put(world, id, { standing: 'done' });
  put(world, 'implement-1', { standing: 'active' });
  const started = new Set(
    [...world.entries.values()].filter(({ standing: at }) => at !== 'open').map(({ task }) => task.id),
  );
  const index = factsOf(world).index;
  const streams = detectStreams(
    ['1', '2'].map((id) => ({ id, blockedBy: [] })),
    new Map([
      ['1', ['a']],
      ['2', ['b']],
    ]),
  );
  const facts = { review: 'auto', autoMerge: true, planned: new Set<string>(), me: null } as const;
  const position = positionOf(index, groupOf(index, '1'), { ...facts, streams: 2 });
  const built = buildTaskList(index, position, { review: 'auto', autoMerge: true, streams });
  const tasks = [...world.entries.values()].map(({ task }) => task);
  expect(splitByStreams(tasks, built, started)).toEqual({ added: [], replaced: new Map() });
});

it('an issue that triage wants split is planned only when it was split', () => {
  const world = begun([issue('1'), issue('2', { blockedBy: ['1'] }), issue('3', { blockedBy: ['1'] })]);
  put(world, 'triage-2', { standing: 'done', action: 'split' });
  revise(world);
  const left = [...world.entries.values()].filter(
    ({ task, standing: at }) => at === 'open' && task.issues.includes('2'),
  );
  expect(left).toEqual([]);
  expect(world.entries.get('plan-1_group')?.task.issues).toEqual(['1', '3']);
});

const ends: Readonly<Record<string, IssueState>> = {
  triage: 'Research Needed',
  research: 'Ready for Plan',
  plan: 'Plan in Review',
  review: 'In Progress',
  pr: 'In Review',
  merge: 'Done',
};

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(
      ...(['work', 'work', 'work', 'work', 'fail', 'cancel', 'lose', 'retry', 'split', 'plan'] as const),
      ...(['close', 'take over', 'delete', 'move', 'block', 'free', 'adopt', 'files'] as const),
    ),
    which: fc.nat(40),
    to: fc.nat(10),
  }),
  { maxLength: 40 },
);

const groups = fc
  .array(
    fc.record({
      state: fc.constantFrom<IssueState>('Backlog', 'Research Needed', 'Ready for Plan', 'In Progress'),
      blocks: fc.array(fc.nat(5), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => [
    issue('9'),
    ...parts.map(({ state, blocks }, at) =>
      issue(String(at + 1), {
        parent: '9',
        state,
        blockedBy: blocks.filter((other) => other < at).map((other) => String(other + 1)),
      }),
    ),
  ]);

/** One task is taken on, or a person does something. */
const take = (world: World, { kind, which, to }: { kind: string; which: number; to: number }): void => {
  const pick = <T>(some: readonly T[]): T | undefined => some[which % Math.max(1, some.length)];
  const all = [...world.entries.values()];
  const ready = standingOf(world).ready;
  const ids = [...world.issues.keys()].filter((id) => id !== '9');
  const id = pick(ids) ?? '1';
  switch (kind) {
    case 'work': {
      const active = all.find(({ standing: at }) => at === 'active');
      const next = pick(ready);
      if (active !== undefined && (to % 2 === 0 || next === undefined)) {
        const { phase, issues } = active.task;
        put(world, active.task.id, {
          standing: 'done',
          ...(phase === 'triage' ? { action: to > 8 ? 'split' : 'research' } : {}),
        });
        for (const each of issues) {
          const state = world.issues.get(each)?.state;
          const end = ends[phase];
          if (end !== undefined && state !== undefined && !isTerminal(state) && state !== 'Human Needed')
            move(world, each, stateRank(end) > stateRank(state) ? end : state);
        }
      } else if (next !== undefined) put(world, next, { standing: 'active' });
      break;
    }
    case 'fail': {
      const next = pick(all.filter(({ standing: at }) => at === 'active'));
      if (next !== undefined) put(world, next.task.id, { standing: 'failed' });
      break;
    }
    case 'lose': {
      const next = pick(ready);
      if (next !== undefined) put(world, next, { lost: 'another session has it' });
      break;
    }
    case 'cancel': {
      const next = pick(all.filter(({ standing: at }) => at === 'open' || at === 'active'));
      if (next !== undefined) put(world, next.task.id, { standing: 'off' });
      break;
    }
    case 'retry': {
      const next = pick(all.filter(({ standing: at }) => at === 'failed' || at === 'off'));
      if (next !== undefined) put(world, next.task.id, { standing: 'open', lost: null });
      break;
    }
    case 'split':
      for (const part of ['a', 'b'])
        world.issues.set(`${id}${part}`, issue(`${id}${part}`, { parent: id, estimate: 'S' }));
      break;
    case 'plan':
      if (ready.length === 0 && all.every(({ standing: at }) => at !== 'active')) plan(world);
      break;
    case 'files':
      world.files.set(id, [`src/${to}.ts`]);
      divide(world);
      break;
    case 'close':
      move(world, id, to % 2 === 0 ? 'Done' : 'Canceled');
      break;
    case 'take over':
      move(world, id, 'Human Needed');
      break;
    case 'delete':
      world.issues.delete(id);
      world.gone.add(id);
      break;
    case 'move':
      move(
        world,
        id,
        (['Backlog', 'Research Needed', 'Ready for Plan', 'In Progress'] as const)[to % 4] ?? 'Backlog',
      );
      break;
    default: {
      const known = world.issues.get(id);
      if (known === undefined) return;
      const other = String(1 + (to % 7));
      if (kind === 'block' && other !== id)
        world.issues.set(id, { ...known, blockedBy: [...known.blockedBy, other] });
      if (kind === 'free') world.issues.set(id, { ...known, blockedBy: [] });
      if (kind === 'adopt' && other !== id) world.issues.set(id, { ...known, parent: other });
    }
  }
};

const check = (world: World): void => {
  const list = [...world.entries.values()];
  const graph = graphOf(world);
  expect({ unknown: graph.unknown, cycles: graph.cycles }).toEqual({ unknown: [], cycles: [] });
  const outlook = outlookOf(list, factsOf(world));
  const { unreachable, ready } = standingOf(world);
  for (const each of list) {
    const { task, standing: at, lost } = each;
    if (at === 'open') {
      // Nothing can come of a task that has no issue left: it is off.
      expect(task.issues.some((id) => outlook.out(each, id) === null) || lost !== null, task.id).toBe(true);
      // A task waits in vain only when something stands in the way of each of its issues.
      const free = task.issues.filter(
        (id) => outlook.out(each, id) === null && outlook.barrier(each, id) === null,
      );
      if (free.length > 0) expect(unreachable.get(task.id), task.id).toBeUndefined();
      // What is worked on next is worked on for those issues only.
      if (ready.includes(task.id)) expect(free, task.id).toEqual(task.issues);
    }
    if (task.phase === 'merge' && ready.includes(task.id))
      for (const id of task.issues) {
        const opened = list.filter(({ task: pr }) => pr.phase === 'pr' && pr.issues.includes(id));
        expect(opened.length === 0 || opened.some(({ standing: pr }) => pr === 'done'), task.id).toBe(true);
      }
    if (task.phase !== 'implement' || outlook.isReplaced(each)) continue;
    for (const id of task.issues) {
      if (outlook.out(each, id) !== null) continue;
      if (ready.includes(task.id)) {
        const state = world.issues.get(id)?.state;
        const plans = list.filter(
          (other) =>
            (other.task.phase === 'plan' || other.task.phase === 'review') &&
            other.task.issues.includes(id) &&
            (other.standing === 'open' || other.standing === 'active'),
        );
        if (state !== undefined && stateRank(state) < stateRank('In Progress'))
          expect(
            plans.filter(({ task: { id: plan } }) => unreachable.has(plan)),
            task.id,
          ).toEqual([]);
      }
      // Work that is done finds its way to a pull request.
      if (at !== 'done') continue;
      const pr = list.filter(({ task: other }) => other.phase === 'pr' && other.issues.includes(id));
      expect(pr.length, `a pull request for ${task.id}`).toBeGreaterThan(0);
      for (const { task: other, standing: prAt } of pr)
        if (prAt === 'open') expect(unreachable.get(other.id), other.id).toBeUndefined();
    }
  }
};

/** Nobody disturbs any more: all that can be worked on is, and what is left waits for a person. */
const toEnd = (world: World): void => {
  for (let steps = 0; ; steps += 1) {
    expect(steps, 'the work never ends').toBeLessThan(300);
    const isWorking = [...world.entries.values()].some(({ standing: at }) => at === 'active');
    if (isWorking || standingOf(world).ready.length > 0) take(world, { kind: 'work', which: 0, to: 0 });
    else if (!plan(world)) break;
    revise(world);
    check(world);
  }
  const { index } = factsOf(world);
  const list = [...world.entries.values()];
  const outlook = outlookOf(list, factsOf(world));
  const stopped = list.filter(
    (each) =>
      !outlook.isReplaced(each) &&
      (each.standing === 'failed' || each.standing === 'off' || each.lost !== null),
  );
  /** Whether somebody stopped work on it, or on what it waits for. */
  const isStopped = (id: string): boolean =>
    [id, ...outlook.blockersOf(id)].some((each) => {
      const known = index.byId.get(each);
      if (known === undefined || known.state === 'Human Needed') return true;
      return stopped.some(({ task }) => task.issues.includes(each));
    });
  const built = fresh(world);
  for (const { phase, issues } of built) {
    if (phase !== 'implement') continue;
    for (const id of issues) expect(isStopped(id), `${id} is left, and nothing stands in its way`).toBe(true);
  }
};

it('whatever happens to its issues and tasks, a list dangles nowhere, finished work keeps a pull request, and only what needs a failed task stops', () => {
  fc.assert(
    fc.property(
      groups,
      steps,
      fc.constantFrom('human' as const, 'auto' as const, 'skip' as const),
      fc.constantFrom('few' as const, 'all' as const),
      (issues, deeds, review, phases) => {
        const world = begun(issues, review, phases);
        revise(world);
        check(world);
        for (const deed of deeds) {
          take(world, deed);
          revise(world);
          check(world);
        }
        toEnd(world);
      },
    ),
    draws(400),
  );
});

it('a pull request that was made is taken off when all its issues were deleted, and not when they are over', () => {
  const world = begun([issue('1', { state: 'In Progress' })]);
  for (const id of ['implement-1', 'pr-1']) put(world, id, { standing: 'done' });
  const pull = [...world.entries.values()].find(({ task }) => task.phase === 'pr');
  put(world, pull?.task.id ?? '', { standing: 'open', kept: true });
  move(world, '1', 'Done');
  const whyOff = () =>
    reviseList([...world.entries.values()], factsOf(world)).off.find(({ id }) => id === pull?.task.id)
      ?.reason;
  expect(whyOff()).toBeUndefined();
  world.gone.add('1');
  expect(whyOff()).toBe('1 was deleted');
});
