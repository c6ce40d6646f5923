import { expect, test } from 'vitest';
import { heldBack } from '../../src/pipeline/scheduling/start.ts';
import type { Settings } from '../../src/session/settings.ts';
import type { TaskDefinition } from '../../src/tasks/task.ts';
import {
  createPipelineRun,
  defineTask,
  ended,
  failedReview,
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

test('a task starts when its blockers are done, whatever else of their level still runs', () => {
  const run = busy([defineTask('a'), defineTask('b'), defineTask('c', { blockedBy: ['a'] })]);
  release(run, 'a');
  expect(working(run)).toEqual(['b', 'c']);
  expect(run.path().filter((state) => state === 'BATCHING')).toHaveLength(1);
  release(run, 'b');
  release(run, 'c');
  expect(run.end()).toMatchObject({ exit_code: 0 });
});

test('of the tasks that may start the one with the longest chain behind it starts first', () => {
  const run = busy(
    [
      defineTask('short'),
      defineTask('mid'),
      defineTask('long'),
      defineTask('m2', { blockedBy: ['mid'] }),
      defineTask('l2', { blockedBy: ['long'] }),
      defineTask('l3', { blockedBy: ['l2'] }),
      defineTask('l4', { blockedBy: ['l3'] }),
    ],
    (old) => ({ ...old, concurrency: { ...old.concurrency, max_parallel_executors: 1 } }),
  );
  const done: string[] = [];
  for (let [id] = working(run); id !== undefined; [id] = working(run)) {
    done.push(id);
    release(run, id);
  }
  expect(done.slice(0, 2)).toEqual(['long', 'l2']);
  expect(done.indexOf('mid')).toBeLessThan(done.indexOf('short'));
  expect(run.end()).toMatchObject({ exit_code: 0 });
});

test('a Sequential task with the longest chain behind it starts once nothing else runs, though other tasks could go on', () => {
  const run = busy([
    defineTask('a'),
    defineTask('b', { blockedBy: ['a'] }),
    defineTask('s', { type: 'Sequential' }),
    defineTask('t', { blockedBy: ['s'] }),
    defineTask('u', { blockedBy: ['t'] }),
    defineTask('v', { blockedBy: ['u'] }),
  ]);
  expect(working(run)).toEqual(['s']);
  release(run, 's');
  expect(working(run)).toEqual(['t', 'a']);
});

test('the level that counts moves on with the tasks that are over, and back with one that is opened again', () => {
  const run = busy([defineTask('a'), defineTask('b', { blockedBy: ['a'] }), defineTask('c')]);
  expect(run.state().wave).toBe(1);
  release(run, 'a');
  expect(run.state().wave).toBe(1);
  release(run, 'c');
  expect(run.state().wave).toBe(2);
  run.tell({ type: 'task.reset', task: 'c', reason: 'RETRY' });
  expect(run.state().wave).toBe(1);
});

const inReview = (run: PipelineRun) =>
  [...run.open.values()].flatMap(({ mode, task }) => (mode === 'TASK_REVIEW' && task ? [task.id] : []));

test('a verify that fails beside others in a shared tree counts only when it fails once more alone', () => {
  let fails = true;
  const run = createPipelineRun({
    tasks: [defineTask('a', { verify: [{ cmd: 'check' }] }), defineTask('b'), defineTask('c')],
    script: (brief) => {
      if (brief.mode === 'IMPLEMENT') return brief.task?.id === 'a' ? undefined : null;
      return brief.mode === 'TASK_REVIEW' && brief.task?.id === 'a' && fails
        ? [ended(brief, failedReview(brief))]
        : undefined;
    },
  }).start();
  run.work();
  expect(run.of('verify.disturbed')).toMatchObject([{ task: 'a' }]);
  expect(run.of('task.failed')).toEqual([]);
  fails = false;
  release(run, 'b');
  expect(inReview(run)).toEqual([]);
  expect(run.state().tasks.get('a')?.status).toBe('review');
  release(run, 'c');
  expect(run.state().tasks.get('a')?.status).toBe('done');
  expect(run.end()).toMatchObject({ exit_code: 0 });
});

test('a result whose verify runs once more alone does not wait for a blocker that was opened again', () => {
  let again = false;
  const run = createPipelineRun({
    tasks: [
      defineTask('base'),
      defineTask('a', { verify: [{ cmd: 'check' }], blockedBy: ['base'] }),
      defineTask('other', { blockedBy: ['base'] }),
    ],
    script: (brief) => {
      if (brief.task?.id === 'other') return null;
      if (brief.mode !== 'TASK_REVIEW') return undefined;
      if (brief.task?.id === 'a' && !again) return [ended(brief, failedReview(brief))];
      return brief.task?.id === 'base' && again ? null : undefined;
    },
  }).start();
  run.work();
  expect(run.of('verify.disturbed')).toMatchObject([{ task: 'a' }]);
  again = true;
  run.tell({ type: 'task.reset', task: 'base', reason: 'RETRY' });
  run.work();
  const [other] = [...run.open.values()].filter(({ task }) => task?.id === 'other');
  if (!other) throw new Error('nobody works on other');
  run.tell({ type: 'task.cancelled', task: 'other', reason: 'CANCEL' });
  run.tell({ type: 'invocation.interrupted', invocation: other.invocation, reason: 'cancel' });
  run.work();
  expect(inReview(run)).toEqual(['base']);
});

test('a verify that fails alone counts at once', () => {
  const run = createPipelineRun({
    tasks: [defineTask('a', { verify: [{ cmd: 'check' }] })],
    script: (brief) => (brief.mode === 'TASK_REVIEW' ? [ended(brief, failedReview(brief))] : undefined),
  }).start();
  run.work();
  expect(run.of('verify.disturbed')).toEqual([]);
  expect(run.of('task.failed')).toHaveLength(3);
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
    settings: (old) => ({
      ...old,
      concurrency: { max_parallel_executors: 4, max_parallel_reviewers: 2, max_parallel_checks: 1 },
    }),
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
