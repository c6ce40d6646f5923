import { expect, test } from 'vitest';
import { finishMessage, finishTitle } from '../../../src/pipeline/changes/finish-message.ts';
import { createPipelineRun, defineTask } from '../../helpers/pipeline-run.ts';

test('the message of the last merge is the goal in one short line, the tasks that are done, and the session', () => {
  const run = createPipelineRun({
    tasks: [defineTask('a', { title: 'Write\u001b[2J it' }), defineTask('b')],
  });
  run.start();
  run.work();
  const state = { ...run.state(), goal: '# Ship the greeting service\u202e\n\nWith all languages.' };
  expect(finishMessage(state)).toBe(
    `Ship the greeting service\n\n- Write it (a)\n- ${run.state().tasks.get('b')?.definition.title || 'b'} (b)\n\nSession: ${state.session}`,
  );
  const long = { ...state, goal: `Ship ${'the greeting service '.repeat(9)}` };
  expect(finishTitle(long).length).toBeLessThanOrEqual(72);
  expect(finishTitle(long)).toMatch(/^Ship the greeting .* (the|greeting|service)…$/);
  expect(finishMessage(long)).toContain(`\n\n${long.goal.trim()}\n\n- `);
});
