import { expect, test } from 'vitest';
import { worksAhead } from '../../src/pipeline/scheduling/ahead.ts';
import type { Settings } from '../../src/session/settings.ts';
import { createPipelineRun, defineTask, type PipelineRun } from '../helpers/pipeline-run.ts';

const mine = { planner: 'mine', questioner: 'mine', executor: 'mine', reviewer: 'mine', librarian: 'mine' };

const begin = (some: (defaults: Settings) => Partial<Settings> = () => ({})): PipelineRun =>
  createPipelineRun({
    tasks: [defineTask('one'), defineTask('two'), defineTask('both', { blockedBy: ['one', 'two'] })],
    settings: (defaults) => ({
      ...defaults,
      permissions: 'workspace',
      planning: { ...defaults.planning, max_cycles: 1 },
      roles: mine,
      ...some(defaults),
    }),
  }).start();

/** Plays on until a work of this mode is open, and gives what is expected after it. */
const after = (run: PipelineRun, mode: string, task?: string) => {
  const found = () =>
    [...run.open.values()].find((brief) => brief.mode === mode && (!task || brief.task?.id === task));
  while (found() === undefined) if (!run.answer()) throw new Error(`no work ${mode}`);
  return worksAhead(run.state(), found()?.invocation ?? '');
};

test('two agents are expected after the plan, for nobody knows how many tasks it will have', () => {
  expect(after(begin(), 'TASK_BREAKDOWN')).toEqual([{ mode: 'IMPLEMENT', backend: 'mine', count: 2 }]);
});

test('no more agents are expected than may work at one time', () => {
  const run = begin(({ concurrency }) => ({ concurrency: { ...concurrency, max_parallel_executors: 1 } }));
  expect(after(run, 'TASK_BREAKDOWN')).toEqual([{ mode: 'IMPLEMENT', backend: 'mine', count: 1 }]);
});

test('the agents of the Planner and of a second task are expected after the questions, and none after the review of the session', () => {
  const run = begin();
  expect(after(run, 'brainstorm')).toEqual([{ mode: 'TASK_BREAKDOWN', backend: 'mine', count: 2 }]);
  expect(after(run, 'SESSION_REVIEW')).toEqual([]);
});

test('as many Reviewers are expected as tasks are worked on, by the agent of the Reviewer', () => {
  const run = begin(() => ({ roles: { ...mine, reviewer: 'other' } }));
  expect(after(run, 'IMPLEMENT', 'two')).toEqual([{ mode: 'TASK_REVIEW', backend: 'other', count: 2 }]);
});

test('nothing is expected where a person reviews', () => {
  expect(
    after(
      begin(() => ({ review: 'person' })),
      'IMPLEMENT',
    ),
  ).toEqual([]);
});

test('a task that waits only for results in review is expected after them', () => {
  const run = begin();
  after(run, 'TASK_REVIEW', 'one');
  run.answer([...run.open.values()].find(({ mode }) => mode === 'IMPLEMENT')?.invocation);
  expect(after(run, 'TASK_REVIEW', 'two')).toEqual([{ mode: 'IMPLEMENT', backend: 'mine', count: 1 }]);
});

test('beside the last review two agents are expected: one judges the whole, one collects', () => {
  const run = begin();
  expect(after(run, 'TASK_REVIEW', 'both')).toEqual([{ mode: 'SESSION_REVIEW', backend: 'mine', count: 2 }]);
});

test('nothing is expected in a pause, in a drain and after an abort', () => {
  for (const type of ['hold.requested', 'drain.requested', 'abort.requested'] as const) {
    const run = begin();
    after(run, 'TASK_BREAKDOWN');
    const [open] = [...run.open.keys()];
    run.tell({ type, signal: null, by: 'kim' } as never);
    expect(worksAhead(run.state(), open ?? ''), type).toEqual([]);
  }
});

test('each of two agents is expected by itself', () => {
  const run = begin(() => ({ roles: { ...mine, librarian: 'other' } }));
  expect(after(run, 'TASK_REVIEW', 'both')).toEqual([
    { mode: 'SESSION_REVIEW', backend: 'mine', count: 1 },
    { mode: 'STAGE', backend: 'other', count: 1 },
  ]);
});
