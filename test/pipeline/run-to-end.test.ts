import { expect, test } from 'vitest';
import { createPipelineRun, defineTask } from '../helpers/pipeline-run.ts';

const diamond = [
  defineTask('top'),
  defineTask('left', { blockedBy: ['top'] }),
  defineTask('right', { blockedBy: ['top'] }),
  defineTask('bottom', { blockedBy: ['left', 'right'] }),
];

test('a diamond runs through the ten states, wave by wave, and ends completed', () => {
  const run = createPipelineRun({ tasks: diamond }).start().finish();
  const wave = ['BATCHING', 'EXECUTING_BATCH', 'REVIEWING_BATCH'];
  expect(run.path()).toEqual([
    'PLANNING',
    ...wave,
    ...wave,
    ...wave,
    'BATCHING',
    'SESSION_REVIEW',
    'KNOWLEDGE_EXTRACTION',
    'KNOWLEDGE_APPROVAL',
    'COMPLETE',
  ]);
  expect(run.end()).toMatchObject({ status: 'completed', reason: 'completed', exit_code: 0 });
  expect([...run.state().tasks.values()].map((task) => [task.status, task.attempt])).toEqual([
    ['done', 1],
    ['done', 1],
    ['done', 1],
    ['done', 1],
  ]);
});
