import { expect, test } from 'vitest';
import { graphOf, standingOf } from '../../src/pipeline/waves.ts';
import { statusOf } from '../../src/words/task-status.ts';
import { createPipelineRun, defineTask } from '../helpers/pipeline-run.ts';

test('a result that has passed in the train says which one it waits for', () => {
  const run = createPipelineRun({
    tasks: [defineTask('a', { verify: [{ cmd: 'check' }] }), defineTask('b', { verify: [{ cmd: 'check' }] })],
    settings: (old) => ({
      ...old,
      isolation: 'worktree',
      concurrency: { ...old.concurrency, max_parallel_checks: 2 },
    }),
    // The check of the first member of the train goes on.
    script: ({ mode, task }) => (mode === 'TASK_REVIEW' && task?.id === 'a' ? null : undefined),
  })
    .start()
    .work();
  const state = run.state();
  const b = state.tasks.get('b');
  const context = {
    graph: graphOf(state),
    now: standingOf(state),
    held: () => null,
    cutOff: false,
    asks: new Map(),
    needing: new Map(),
  };
  expect(state.changes.train.map(({ task }) => task)).toEqual(['a', 'b']);
  expect(b && statusOf(state, b, undefined, context)).toEqual({ look: 'to-review', word: 'passed, after a' });
});
