import { expect, onTestFinished, test } from 'vitest';
import { flowStory } from '../helpers/flow-story.ts';
import { paneKey } from '../helpers/pane-key.ts';
import { openScreen } from '../helpers/screen.tsx';

/** A team of two, one at work on the selected task. */
const open = async () => {
  const story = flowStory();
  story.add({
    type: 'team.formed',
    workers: [
      { name: 'analyst-1', role: 'analyst' },
      { name: 'builder-1', role: 'builder' },
    ],
  });
  story.begins('research-42', 'analyst-1');
  const screen = await openScreen({ columns: 120, rows: 36, story });
  onTestFinished(screen.unmount);
  screen.store.act({ type: 'selected-task', task: 'research-42' });
  return screen;
};

test('H replaces the worker of the task, once it was asked about', async () => {
  const screen = await open();
  await screen.press('H');
  expect(screen.frame()).toContain('Replace analyst-1?');
  expect(screen.frame()).toContain('Another worker with its role takes its place.');
  expect(screen.intents).toEqual([]);
  await screen.press('enter');
  expect(screen.intents).toMatchObject([
    { type: 'publish', signal: { type: 'CANCEL', target: 'Executor', worker: 'analyst-1' } },
  ]);
});

test('a task that no worker has names none to replace', async () => {
  const screen = await open();
  screen.store.act({ type: 'selected-task', task: 'research-44' });
  await screen.press('H');
  expect(screen.frame()).not.toContain('Replace ');
  expect(screen.frame()).toContain('Choose a task that a worker of the team has');
});

test('a message can be for a worker without a task: it waits for its next one', async () => {
  const screen = await open();
  await screen.press('i');
  for (let turns = 0; turns < 10 && !/To +builder-1/.test(screen.frame()); turns += 1)
    await screen.press('tab');
  expect(screen.frame()).toContain('Waits for the next task of builder-1');
  await screen.type('Use tabs.');
  await screen.press('enter');
  expect(screen.intents).toMatchObject([
    { signal: { type: 'INFO', target: 'Executor', worker: 'builder-1', message: 'Use tabs.' } },
  ]);
});

test('the timeline tells how many workers of the team are at work', async () => {
  const screen = await open();
  await screen.press(paneKey('timeline'));
  expect(screen.frame()).toContain('Team: 1 of 2 at work');
});
