import { expect, onTestFinished, test } from 'vitest';
import { createTheme } from '../../components/draw/theme.ts';
import { taskRoles } from '../../src/issues/task-list/task-phase.ts';
import { flowStory } from '../helpers/flow-story.ts';
import { paneKeys } from '../helpers/pane-key.ts';
import { steer } from '../helpers/scenes/looking.ts';
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
  expect(screen.frame()).toContain('Another worker with the same role takes its place.');
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
  expect(screen.frame()).toContain('Choose a task that a team member is working on');
});

test('a message can be for a worker without a task: it waits for its next one', async () => {
  const screen = await open();
  await screen.press('i');
  for (let turns = 0; turns < 10 && !/To +builder-1/.test(screen.frame()); turns += 1)
    await screen.press('tab');
  expect(screen.frame()).toContain("Waits for builder-1's next task");
  await screen.type('Use tabs.');
  await screen.press('enter');
  expect(screen.intents).toMatchObject([
    { signal: { type: 'INFO', target: 'Executor', worker: 'builder-1', message: 'Use tabs.' } },
  ]);
});

test('the timeline tells how many workers of the team are at work', async () => {
  const screen = await open();
  await screen.press(...paneKeys('timeline'));
  expect(screen.frame()).toContain('Team: 1 of 2 at work');
});

/** Five workers that all had a task, their reviewer, and two waits. */
const crowd = () => {
  const story = flowStory();
  const names = ['analyst-1', 'analyst-2', 'builder-1', 'validator-1', 'integrator-1'];
  story.add({
    type: 'team.formed',
    workers: names.map((name) => ({
      name,
      role: taskRoles.find((role) => name.startsWith(role)) ?? 'analyst',
    })),
  });
  story.begins('research-42', 'analyst-1').begins('research-43', 'analyst-2');
  story.wait(20_000);
  story.ends('research-42').begins('plan-42_stream', 'builder-1').begins('plan-44_stream', 'validator-1');
  story.wait(9_000).pending('aaa1', steer).add({ type: 'hold.requested', signal: null, by: 'kim' });
  story.add({ type: 'hold.begun', processes: 0 });
  story.wait(9_000).add({ type: 'hold.ended', signal: null, by: 'kim' });
  story.ends('plan-42_stream').ends('plan-44_stream').begins('research-44', 'integrator-1');
  story.add({ type: 'task.failed', task: 'plan-42_stream', attempt: 1, reason: 'no plan', counts: true });
  return story.add({
    type: 'invocation.started',
    invocation: 'Reviewer-1',
    role: 'Reviewer',
    mode: 'SESSION_REVIEW',
    backend: 'gemini',
    cycle: 1,
    messages: [],
  });
};

test.each([
  [80, 24],
  [120, 36],
] as const)(
  'at %ix%i the timeline of five workers and a reviewer has its legend in one line',
  async (columns, rows) => {
    const screen = await openScreen({ columns, rows, story: crowd() });
    onTestFinished(screen.unmount);
    await screen.press(...paneKeys('timeline'));
    const right = screen.rows().map((row) => row.split(/[│┤├]/).at(-1) ?? '');
    const legend = right.filter((row) => row.includes('paused') && !row.includes('silent'));
    expect(legend).toHaveLength(1);
    expect(legend[0]).toMatch(/paused .*S steer/);
    expect(legend[0]).not.toContain('…');
    // What the heading counts is what is listed below it.
    const heading = right.findIndex((row) => row.includes('Team: '));
    expect(right[heading]).toContain('Team: 2 of 5 at work · 1 other agent');
    expect(right[heading]).not.toContain('…');
    const listed = right.slice(heading + 1).filter((row) => /^ [▸·⏸] /.test(row));
    expect(listed).toHaveLength(6);
  },
);

test('an idle worker steps back, and messages are told from the first one on', async () => {
  const story = flowStory();
  story.add({
    type: 'team.formed',
    workers: [
      { name: 'analyst-1', role: 'analyst' },
      { name: 'builder-1', role: 'builder' },
    ],
  });
  story.begins('research-42', 'analyst-1');
  const theme = { colours: 'true', ascii: false, background: 'dark' } as const;
  const screen = await openScreen({ columns: 120, rows: 36, story, theme });
  onTestFinished(screen.unmount);
  await screen.press(...paneKeys('timeline'));
  const { codes } = createTheme(theme);
  const row =
    screen
      .styled()
      .ours.split('\n')
      .find((line) => line.includes('idle: ')) ?? '';
  expect(row).toMatch(new RegExp(`\\[${codes.secondary}m · builder-1 +0:0\\d idle: waits for research-42, `));
  expect(screen.frame()).not.toContain('0 messages');
});
