import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupOf } from '../../src/issues/group.ts';
import type { Issue } from '../../src/issues/issue.ts';
import { indexIssues } from '../../src/issues/issue-index.ts';
import { type PositionOptions, positionOf } from '../../src/issues/position/position.ts';
import { detectStreams } from '../../src/issues/streams/streams.ts';
import { buildTaskList, type TaskListOptions } from '../../src/issues/task-list/build-task-list.ts';
import { afterRejection, missingTasks, splitByStreams } from '../../src/issues/task-list/change-task-list.ts';
import type { FlowTask } from '../../src/issues/task-list/flow-task.ts';
import { flowTaskOf, storedTask } from '../../src/issues/task-list/stored-task.ts';
import { checkResult } from '../../src/issues/task-list/task-phase.ts';
import { buildGraph } from '../../src/tasks/graph.ts';
import { taskDefinitionSchema, taskIdSchema } from '../../src/tasks/task.ts';
import { anyIssues, issue } from '../helpers/issues.ts';
import { draws } from '../helpers/test-form.ts';

type Options = Partial<TaskListOptions & Omit<PositionOptions, 'streams'>>;

const build = (issues: readonly Issue[], more: Options = {}) => {
  const index = indexIssues(issues);
  const options = {
    review: 'auto',
    autoMerge: true,
    streams: [],
    planned: new Set<string>(),
    me: null,
    ...more,
  } as const;
  const group = groupOf(index, issues[0]?.id ?? '');
  const position = positionOf(index, group, { ...options, streams: options.streams.length });
  return { index, tasks: buildTaskList(index, position, options) };
};

/** `plan-1 ← research-1 research-2` for each task. */
const shown = (tasks: readonly FlowTask[]): readonly string[] =>
  tasks.map(({ id, blockedBy }) => (blockedBy.length === 0 ? id : `${id} ← ${blockedBy.join(' ')}`));

const numbered = (id: number, more: Partial<Issue> = {}): Issue => issue(String(id), { number: id, ...more });

describe('the upfront task list', () => {
  it('holds every task of the remaining pipeline, with role, words and blockers', () => {
    const { tasks } = build([
      numbered(42),
      numbered(43, { state: 'Research Needed', blockedBy: ['42'] }),
      numbered(44, { state: 'Ready for Plan', blockedBy: ['43'] }),
    ]);
    expect(shown(tasks)).toEqual([
      'triage-42',
      'research-42 ← triage-42',
      'research-43',
      'plan-42_group ← triage-42 research-42 research-43',
      'review-42_group ← plan-42_group',
      'implement-42 ← review-42_group',
      'implement-43 ← review-42_group implement-42',
      'implement-44 ← review-42_group implement-43',
      'pr-42_group ← implement-42 implement-43 implement-44',
      'merge-42_group ← pr-42_group',
    ]);
    expect(tasks.map(({ subject, role }) => `${subject} → ${role}`)).toEqual([
      'Triage GH-42 → analyst',
      'Research GH-42 → analyst',
      'Research GH-43 → analyst',
      'Plan group GH-42 → builder',
      'Review plan for group GH-42 → validator',
      'Implement GH-42 → builder',
      'Implement GH-43 → builder',
      'Implement GH-44 → builder',
      'Create PR for group GH-42 → integrator',
      'Merge PR for group GH-42 → integrator',
    ]);
  });

  it.each([
    [
      'Ready for Plan',
      {},
      ['plan-1', 'review-1 ← plan-1', 'implement-1 ← review-1', 'pr-1 ← implement-1', 'merge-1 ← pr-1'],
    ],
    [
      'Ready for Plan',
      { review: 'skip' },
      ['plan-1', 'implement-1 ← plan-1', 'pr-1 ← implement-1', 'merge-1 ← pr-1'],
    ],
    [
      'Plan in Progress',
      { planned: new Set(['1']) },
      ['review-1', 'implement-1 ← review-1', 'pr-1 ← implement-1', 'merge-1 ← pr-1'],
    ],
    [
      'Plan in Review',
      { review: 'human' },
      ['review-1', 'implement-1 ← review-1', 'pr-1 ← implement-1', 'merge-1 ← pr-1'],
    ],
    ['Plan in Review', { review: 'skip' }, ['implement-1', 'pr-1 ← implement-1', 'merge-1 ← pr-1']],
    ['In Progress', { autoMerge: false }, ['implement-1', 'pr-1 ← implement-1']],
    ['In Review', {}, ['merge-1']],
    ['In Review', { autoMerge: false }, []],
    ['Done', {}, []],
    ['Human Needed', {}, []],
  ] as readonly [Issue['state'], Options, string[]][])(
    'started from %s with %j holds only what remains',
    (state, options, expected) => {
      const { tasks } = build([issue('1', { state })], options);
      expect(shown(tasks)).toEqual(expected);
      expect(tasks.filter(({ gate }) => gate === 'human').map(({ phase }) => phase)).toEqual(
        options.review === 'human' ? ['review'] : [],
      );
    },
  );

  it('of a group with oversized issues holds only the splits', () => {
    const { tasks } = build([issue('1', { estimate: 'L' }), issue('2', { blockedBy: ['1'] })]);
    expect(shown(tasks)).toEqual(['split-1']);
  });

  it('lets an approved plan go before one that is still to be written, unless a blocker says otherwise', () => {
    const issues = (blockedBy: string[]) => [
      issue('1', { state: 'Ready for Plan' }),
      issue('2', { state: 'In Progress', blockedBy }),
      issue('3', { state: 'Backlog', blockedBy: ['1', '2'] }),
    ];
    const implementations = (blockedBy: string[]) =>
      build(issues(blockedBy))
        .tasks.filter(({ phase }) => phase === 'implement')
        .map(({ id }) => id);
    expect(implementations([])).toEqual(['implement-2', 'implement-1', 'implement-3']);
    expect(implementations(['1'])).toEqual(['implement-1', 'implement-2', 'implement-3']);
  });

  it('researches but does not plan what is blocked by an issue that needs a person', () => {
    const { tasks } = build([
      issue('1', { state: 'Human Needed' }),
      issue('2', { state: 'Research Needed', blockedBy: ['1'] }),
      issue('3', { state: 'In Progress', blockedBy: ['1'] }),
      issue('4', { state: 'In Progress', parent: '5' }),
      issue('5', { blockedBy: ['1'] }),
    ]);
    expect(shown(tasks)).toEqual(['research-2']);
  });
});

describe('a list that exists already', () => {
  const group = [
    issue('1', { state: 'Ready for Plan' }),
    issue('2', { state: 'Ready for Plan', parent: '4' }),
    issue('3', { state: 'Ready for Plan', parent: '4', blockedBy: ['2'] }),
    issue('4', { blockedBy: ['1'] }),
  ];

  it('gets nothing new when it is built twice, also after some of it is done', () => {
    const { index, tasks } = build(group);
    expect(missingTasks(index, tasks, tasks)).toEqual([]);
    const later = build(group.map((each) => (each.id === '1' ? { ...each, state: 'Done' as const } : each)));
    expect(missingTasks(later.index, tasks, later.tasks)).toEqual([]);
  });

  it('gets only the tasks of an issue that joined, tied to those that are there', () => {
    const { tasks } = build(group.slice(0, 1));
    const joined = build([...group.slice(0, 1), issue('5', { state: 'Research Needed', blockedBy: ['1'] })]);
    expect(shown(missingTasks(joined.index, tasks, joined.tasks))).toEqual([
      'research-5',
      'plan-5_group ← research-5',
      'review-5_group ← plan-1 plan-5_group',
      'implement-5 ← review-1 review-5_group implement-1',
      'pr-5_group ← implement-1 implement-5',
      'merge-5_group ← pr-1 pr-5_group',
    ]);
  });

  it('gets a part for each stream after research, and what waited for the group waits for the parts', () => {
    const { index, tasks } = build(group);
    const streams = detectStreams(
      group.slice(0, 3),
      new Map([
        ['1', ['a']],
        ['2', ['b']],
        ['3', ['c']],
      ]),
    );
    expect(streams.map(({ issues }) => issues)).toEqual([['1'], ['2', '3']]);
    const change = splitByStreams(tasks, build(group, { streams }).tasks, new Set());
    expect(shown(change.added)).toEqual([
      'plan-1_stream',
      'review-1_stream ← plan-1_stream',
      'implement-1_stream ← review-1_stream',
      'pr-1_stream ← implement-1_stream',
      'merge-1_stream ← pr-1_stream',
      'plan-2_stream',
      'review-2_stream ← plan-2_stream',
      'implement-2_stream ← review-2_stream',
      'implement-3_stream ← review-2_stream implement-2_stream',
      'pr-2_stream ← implement-2_stream implement-3_stream',
      'merge-2_stream ← pr-2_stream',
    ]);
    expect(change.replaced.get('plan-1_group')).toEqual(['plan-1_stream', 'plan-2_stream']);
    expect(change.replaced.get('implement-3')).toEqual(['implement-3_stream']);
    const all = [
      ...tasks.map((task) => ({ ...task, replaced_by: change.replaced.get(task.id) ?? [] })),
      ...change.added,
    ];
    expect(buildGraph(all)).toMatchObject({ cycles: [], unknown: [] });
    expect(splitByStreams(all, build(group, { streams }).tasks, new Set()).added).toEqual([]);
    expect(missingTasks(index, all, build(group, { streams }).tasks)).toEqual([]);
  });

  it('gets a new plan and a new review after each rejection, and a person after the third', () => {
    const { index, tasks } = build(group, { review: 'human' });
    const review = tasks.find(({ phase }) => phase === 'review');
    if (review === undefined) throw new Error('no review');
    const second = afterRejection(index, review);
    if (second.kind !== 'again') throw new Error('escalated');
    expect(shown(second.added)).toEqual(['plan-1_group_r2', 'review-1_group_r2 ← plan-1_group_r2']);
    expect(second.added.map(({ subject }) => subject)[0]).toBe('Plan group 1 (round 2)');
    expect(second.added[1]?.gate).toBe('human');
    const all = [
      ...tasks.map((task) => ({ ...task, replaced_by: second.replaced.get(task.id) ?? [] })),
      ...second.added,
    ];
    expect(buildGraph(all).blockersOf.get('implement-1')).toEqual(['review-1_group_r2']);
    expect(buildGraph(all).cycles).toEqual([]);
    const third = second.added[1] === undefined ? null : afterRejection(index, second.added[1]);
    const last = third?.kind === 'again' ? third.added[1] : undefined;
    expect(last === undefined ? null : afterRejection(index, last)).toEqual({
      kind: 'escalate',
      issues: ['1', '2', '3'],
      reason: 'the plan was rejected 3 times',
    });
  });
});

it('whatever the group, the list has no cycle, every task can be reached, ids are safe and different, and built twice it adds nothing', () => {
  fc.assert(
    fc.property(
      anyIssues,
      fc.constantFrom('human' as const, 'auto' as const, 'skip' as const),
      (issues, review) => {
        const files = new Map(issues.map(({ id }) => [id, [`f${Number(id) % 3}`]]));
        for (const streams of [[], detectStreams(issues, files)]) {
          const { index, tasks } = build(issues, { review, streams });
          const graph = buildGraph(tasks);
          expect({ cycles: graph.cycles, unknown: graph.unknown }).toEqual({ cycles: [], unknown: [] });
          expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length);
          for (const { id } of tasks) expect(taskIdSchema.safeParse(id).success, id).toBe(true);
          expect(missingTasks(index, tasks, build(issues.toReversed(), { review, streams }).tasks)).toEqual(
            groupOf(index, issues[0]?.id ?? '')?.order.includes(issues.at(-1)?.id ?? '')
              ? []
              : expect.anything(),
          );
        }
      },
    ),
    draws(500),
  );
});

it('a task of the list is stored as a task of the session and read back the same', () => {
  const { tasks } = build([numbered(1), numbered(2, { blockedBy: ['1'], state: 'In Progress' })], {
    review: 'human',
  });
  const stored = tasks.map((task) => storedTask(task, { iteration: 1, description: 'why' }));
  expect(stored.map((definition) => taskDefinitionSchema.safeParse(definition).success)).not.toContain(false);
  expect(stored.map(flowTaskOf)).toEqual(tasks);
  const [first] = stored;
  if (first) expect(flowTaskOf({ ...first, metadata: {} })).toBeNull();
});

it('odd ids of trackers give different and safe task ids', () => {
  const ids = ['a b', 'a_b', 'a_20b', 'ä', '../x', 'x'.repeat(80), `${'x'.repeat(79)}y`, '42', '42_r2'];
  const tasks = ids.flatMap((id) => build([issue(id, { state: 'In Review' })]).tasks);
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(ids.length);
  for (const { id } of tasks) expect(taskIdSchema.safeParse(id).success, id).toBe(true);
});

it('a completion without the keys of its phase is none, and the fault names the key', () => {
  expect(checkResult({ id: 'plan-1', phase: 'plan' }, { artifact_path: 'a.md', phase_count: 3 }).ok).toBe(
    true,
  );
  const missing = checkResult({ id: 'plan-1', phase: 'plan' }, { artifact_path: 'a.md' });
  expect(missing).toMatchObject({ ok: false, faults: [{ code: 'task-result' }] });
  expect(missing.ok ? '' : JSON.stringify(missing.faults)).toContain('phase_count');
  expect(checkResult({ id: 'r', phase: 'review' }, { result: 'OK', artifact_path: 'a' }).ok).toBe(false);
});
