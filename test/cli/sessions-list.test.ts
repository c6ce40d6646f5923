import { expect, test } from 'vitest';
import { runProgram } from '../helpers/program.ts';
import { storedId } from '../helpers/stored-story.ts';
import { createStory } from '../helpers/story.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const listed = async (state: string, status: string): Promise<string> => {
  const { events } = createStory().begin('Ship it');
  const directory = `.ralph-sessions/${storedId}`;
  const cwd = workspaceWith({
    [`${directory}/journal.jsonl`]: events.map((event) => `${JSON.stringify(event)}\n`).join(''),
    [`${directory}/metadata.yaml`]: `status: ${status}\norchestrator:\n  state: ${state}\n`,
  });
  return (await runProgram(['sessions'], { cwd })).stdout;
};

test('the list of sessions speaks of states in the words of the screen', async () => {
  expect(await listed('EXECUTING_BATCH', 'paused')).toMatch(/^\d+-\d+ +paused +Work +\d\/\d +Ship it$/m);
  expect(await listed('COMPLETE', 'awaiting_feedback')).toMatch(
    /^\d+-\d+ +ended with failures +\d\/\d +Ship it$/m,
  );
});
