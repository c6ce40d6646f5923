import { expect, test } from 'vitest';
import { heldBack } from '../../src/pipeline/modes/waves/dispatch.ts';
import type { Settings } from '../../src/session/settings.ts';
import type { TaskDefinition } from '../../src/tasks/task.ts';
import {
  createPipelineRun,
  defineTask,
  ended,
  goodOutcome,
  type PipelineRun,
  startedTask,
} from '../helpers/pipeline-run.ts';

/** A session in which Executors work until the test says so. */
const busy = (
  tasks: readonly TaskDefinition[],
  settings: (old: Settings) => Settings = (old) => old,
): PipelineRun => {
  const run = createPipelineRun({
    tasks,
    settings,
    script: (brief) => (brief.mode === 'IMPLEMENT' ? null : undefined),
  }).start();
  return run.work();
};

/** The Executor of this task does its work. */
const release = (run: PipelineRun, task: string): void => {
  const brief = [...run.open.values()].find((open) => open.task?.id === task);
  if (!brief) throw new Error(`nobody works on ${task}`);
  run.tell(startedTask(brief), ended(brief, goodOutcome(brief)));
  run.work();
};

const working = (run: PipelineRun) => [...run.open.values()].map((brief) => brief.task?.id);

test('tasks of a wave run side by side up to max_parallel_executors, and the next starts when one comes back', () => {
  const run = busy(['a', 'b', 'c', 'd'].map((id) => defineTask(id)));
  expect(working(run)).toEqual(['a', 'b', 'c']);
  release(run, 'b');
  expect(working(run)).toEqual(['a', 'c', 'd']);
});

test('the next wave waits for all of this one: a barrier per wave', () => {
  const run = busy([defineTask('a'), defineTask('b'), defineTask('c', { blockedBy: ['a'] })]);
  release(run, 'a');
  expect(working(run)).toEqual(['b']);
  release(run, 'b');
  expect(working(run)).toEqual(['c']);
});

test('Sequential tasks run after the parallel ones of their wave, one by one', () => {
  const run = busy([
    defineTask('s1', { type: 'Sequential' }),
    defineTask('p1'),
    defineTask('s2', { type: 'Sequential' }),
    defineTask('p2'),
  ]);
  expect(working(run)).toEqual(['p1', 'p2']);
  release(run, 'p1');
  expect(working(run)).toEqual(['p2']);
  release(run, 'p2');
  expect(working(run)).toEqual(['s1']);
  release(run, 's1');
  expect(working(run)).toEqual(['s2']);
});

test('tasks whose files overlap without an edge never run together, directories and patterns included', () => {
  const run = busy([
    defineTask('a', { files: ['src/api'] }),
    defineTask('b', { files: ['src/api/users.ts'] }),
    defineTask('c', { files: ['docs/*.md'] }),
    defineTask('d', { files: ['docs/index.md'] }),
  ]);
  expect(working(run)).toEqual(['a', 'c']);
  release(run, 'a');
  expect(working(run)).toEqual(['c', 'b']);
});

test('a task that declares no files runs alone', () => {
  const tasks = [defineTask('a', { files: [] }), defineTask('b'), defineTask('c')];
  expect(working(busy(tasks))).toEqual(['a']);
});

test('a task that only reads runs beside everything', () => {
  const tasks = [defineTask('a', { files: [] }), defineTask('b', { files: [], role: 'reviewer' })];
  expect(working(busy(tasks))).toEqual(['a', 'b']);
});

test('the number of Executors may change while they run', () => {
  const run = busy(
    ['a', 'b', 'c'].map((id) => defineTask(id)),
    (old) => ({ ...old, concurrency: { ...old.concurrency, max_parallel_executors: 1 } }),
  );
  expect(working(run)).toEqual(['a']);
  run.tell({ type: 'settings.changed', set: { 'concurrency.max_parallel_executors': 2 } });
  expect(working(run)).toEqual(['a', 'b']);
});

test('a task of the wave whose blocker is opened again leaves the wave until the blocker is done', () => {
  const run = busy([
    defineTask('root'),
    defineTask('a', { blockedBy: ['root'], type: 'Sequential' }),
    defineTask('b', { blockedBy: ['root'] }),
  ]);
  release(run, 'root');
  expect(working(run)).toEqual(['b']);
  run.tell({ type: 'task.reset', task: 'root', reason: 'RETRY' });
  release(run, 'b');
  expect(working(run)).toEqual(['root']);
  release(run, 'root');
  expect(working(run)).toEqual(['a']);
});

test('a task names its own agent; the settings name one for a role', () => {
  const run = busy([defineTask('a', { agent: 'codex' }), defineTask('b')], (old) => ({
    ...old,
    roles: { executor: 'claude' },
  }));
  expect(
    run.of('invocation.started').flatMap((event) => (event.task ? [[event.task, event.backend]] : [])),
  ).toEqual([
    ['a', 'codex'],
    ['b', 'claude'],
  ]);
});

test('reviews run side by side up to max_parallel_reviewers', () => {
  const run = createPipelineRun({
    tasks: ['a', 'b', 'c', 'd'].map((id) => defineTask(id)),
    settings: (old) => ({ ...old, concurrency: { max_parallel_executors: 4, max_parallel_reviewers: 2 } }),
    script: (brief) => (brief.mode === 'TASK_REVIEW' ? null : undefined),
  }).start();
  run.work();
  expect(working(run)).toEqual(['a', 'b']);
  expect(run.state().state).toBe('REVIEWING_BATCH');
});

test('a task that could start but does not says beside whom it may not run', () => {
  const run = busy([
    defineTask('a', { files: ['src/a.ts'] }),
    defineTask('b', { files: ['src'] }),
    defineTask('c', { files: ['docs'] }),
    defineTask('d', { files: [] }),
  ]);
  const held = heldBack(run.state());
  const of = (id: string) => held(run.state().tasks.get(id)?.definition ?? defineTask(id));
  expect(working(run)).toEqual(['a', 'c']);
  expect(of('b')).toEqual({ by: 'a', files: ['src'] });
  expect(of('d')).toEqual({ by: 'a', files: [] });
  expect(of('c')).toBe(null);
});
