import { expect, test } from 'vitest';
import type { Settings } from '../../src/session/settings.ts';
import { createPipelineRun, defineTask } from '../helpers/pipeline-run.ts';

const proven = defineTask('proven', {
  criteria: ['It greets'],
  verify: [{ cmd: 'npm test', shows: ['it greets'] }],
});
const half = defineTask('half', { criteria: ['It greets', 'It is short'], verify: proven.verify });

/** The modes in which a model worked, with the task. */
const byModel = (effort: Settings['effort']): readonly string[] =>
  createPipelineRun({
    tasks: [proven, half],
    settings: (defaults) => ({
      ...defaults,
      effort,
      permissions: 'workspace',
      planning: { ...defaults.planning, max_cycles: 1 },
      roles: {
        planner: 'mine',
        questioner: 'mine',
        executor: 'mine',
        reviewer: 'mine',
        librarian: 'mine',
      },
    }),
  })
    .start()
    .finish()
    .of('invocation.started')
    .filter(({ backend }) => backend === 'mine')
    .map(({ mode, task }) => (task === undefined ? mode : `${mode} ${task}`));

test('a small effort leaves questions, proven reviews, the review of the session and lessons to code', () => {
  expect([...new Set(byModel('small'))].sort()).toEqual([
    'IMPLEMENT half',
    'IMPLEMENT proven',
    'INITIALIZE',
    'TASK_BREAKDOWN',
    'TASK_REVIEW half',
  ]);
});

test('a full effort leaves out nothing', () => {
  expect(byModel('full')).toEqual(
    expect.arrayContaining(['brainstorm', 'research', 'TASK_REVIEW proven', 'SESSION_REVIEW', 'STAGE']),
  );
});
