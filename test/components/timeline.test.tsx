import { afterEach, expect, test } from 'vitest';
import { plainOptions } from '../../src/signals/question-kinds.ts';
import { paneKeys } from '../helpers/pane-key.ts';
import { ended } from '../helpers/scenes/arriving.ts';
import { steer } from '../helpers/scenes/looking.ts';
import { loopRun, loopStory } from '../helpers/scenes/looping.ts';
import { busy } from '../helpers/scenes/timing.ts';
import { openScreen, type TestScreen } from '../helpers/screen.tsx';
import { createStory, diamond, task } from '../helpers/story.ts';

const screens: TestScreen[] = [];
afterEach(() => {
  for (const screen of screens.splice(0)) screen.unmount();
});

const open = async (): Promise<TestScreen> => {
  const screen = await openScreen({ columns: 120, rows: 36, story: busy() });
  screens.push(screen);
  await screen.press(...paneKeys('timeline'));
  return screen;
};

const shown = ({ store }: TestScreen) => {
  const { tab, selected, log } = store.getState().ui;
  return { tab, task: selected.tasks, attempt: log.attempt };
};

test('Enter on a bar goes to the output of its attempt', async () => {
  const screen = await open();
  await screen.press('h', 'h');
  expect(screen.frame()).toMatch(/Executor on english · worked \S+ · 10:16:23 to/);
  await screen.press('enter');
  expect(shown(screen)).toEqual({ tab: 'output', task: 'english', attempt: 1 });
});

test('Esc goes back to the present', async () => {
  const screen = await open();
  await screen.press('h', 'h', 'escape');
  expect(screen.frame()).not.toContain('Executor on english');
});

test('( and ) show a longer and a shorter part', async () => {
  const screen = await open();
  expect(screen.frame()).toContain('│ 5:00 ');
  await screen.press(')');
  expect(screen.frame()).toContain('│ 1:00 ');
  await screen.press(')', ')');
  expect(screen.frame()).toContain('│ 0:15 ');
  await screen.press('(');
  expect(screen.frame()).toContain('│ 1:00 ');
  await screen.press('(', '(');
  expect(screen.frame()).toContain('│ 5:00 ');
});

test('a role that did nothing in the part that is shown has no row', async () => {
  const screen = await open();
  expect(screen.frame()).toMatch(/│ Reviewer .*\n.*│ Planner /);
  await screen.press(')');
  expect(screen.frame()).toMatch(/│ Executor 2/);
  expect(screen.frame()).not.toMatch(/│ (?:Reviewer|Planner) /);
});

test('times of another day on the axis do not touch each other', async () => {
  const screen = await openScreen({ columns: 120, rows: 36, story: busy() });
  screens.push(screen);
  screen.clock.advance(30 * 3_600_000);
  await screen.settle();
  await screen.press(...paneKeys('timeline'));
  const axis =
    screen
      .frame()
      .split('\n')
      .find((line) => line.includes('│ 30h')) ?? '';
  expect(axis).toMatch(/\d\d:\d\d/);
  expect(axis).not.toMatch(/:\d\d ?\d/);
});

test('a click on an agent at work chooses its bar, and a second one goes to its output', async () => {
  const screen = await open();
  await screen.click('▸ english #2');
  expect(screen.frame()).toContain('Executor on english #2');
  await screen.click('▸ english #2');
  expect(shown(screen)).toEqual({ tab: 'output', task: 'english', attempt: null });
});

test('a wait says for whom and how long where it has room, and a legend explains the lines', async () => {
  const screen = await openScreen({ columns: 200, rows: 50, story: busy() });
  screens.push(screen);
  await screen.press(...paneKeys('timeline'), 'z');
  expect(screen.frame()).toMatch(/┄ asks you 1:0\d ┄/);
  expect(screen.frame()).toMatch(/ session .*‖ paused 0:29 ‖/);
  expect(screen.frame()).toMatch(/ signals .*│$/m);
  expect(screen.frame()).toContain('━━ works  ┄┄ asks you  ‖‖ paused  ✓ done  ✗ failed  S steer');
});

test('a wait of the session has its whole words where cells behind it are free', async () => {
  const story = busy()
    .add({ type: 'hold.requested', signal: null, by: 'kim' })
    .add({ type: 'hold.begun', processes: 0 })
    .wait(9_000)
    .add({ type: 'hold.ended', signal: null, by: 'kim' })
    .wait(120_000);
  const screen = await openScreen({ columns: 120, rows: 36, story });
  screens.push(screen);
  await screen.press(...paneKeys('timeline'));
  expect(screen.frame()).toMatch(/ session .*‖ paused 0:29 .*‖ paused 0:09 +│/);
});

test('a screen that is drawn once a minute has no length of less than a minute', async () => {
  const story = createStory()
    .begin()
    .tasks(diamond)
    .add({
      type: 'question.asked',
      ...{ kind: 'ask', request: 'q1', text: 'Which form?', invocation: null },
      options: plainOptions(['formal', 'informal']),
    });
  const screen = await openScreen({ columns: 120, rows: 36, story });
  screens.push(screen);
  await screen.press(...paneKeys('timeline'));
  expect(screen.frame()).toMatch(/ state .*Plan/);
  expect(screen.frame()).not.toContain('<1m');
});

test('a session that ended has no now: its time stands where it ended, and its mark has a legend', async () => {
  const story = busy().add({
    type: 'session.stopped',
    session_id: '260215-101500',
    status: 'paused',
    reason: 'quit',
    exit_code: 4,
  });
  const screen = await openScreen({ columns: 200, rows: 50, story, connection: 'stopped' });
  screens.push(screen);
  await screen.press(...paneKeys('timeline'), 'z');
  screen.clock.advance(3_600_000);
  await screen.settle();
  expect(screen.frame()).not.toMatch(/ now$/m);
  expect(screen.frame()).toMatch(/ stopped 10:20:0\d$/m);
  expect(screen.frame()).toMatch(/ signals .*x$/m);
  expect(screen.frame()).toContain('– cut off');
  expect(screen.frame()).toContain('x stopped');
});

test('the names of lanes are whole', async () => {
  const story = busy().add({
    type: 'invocation.started',
    invocation: 'Executor-20',
    role: 'Executor',
    worker: 'integrator-10',
    mode: 'IMPLEMENT',
    backend: 'script',
    cycle: 0,
    task: 'docs',
    attempt: 1,
    messages: [],
  });
  const screen = await openScreen({ columns: 120, rows: 36, story });
  screens.push(screen);
  await screen.press(...paneKeys('timeline'));
  expect(screen.frame()).toContain('│ integrator-10 ');
});

test('a signal and the stop after it have cells of their own', async () => {
  const story = busy().wait(60_000).pending('aaa2', steer).add({
    type: 'session.stopped',
    session_id: '260215-101500',
    status: 'paused',
    reason: 'quit',
    exit_code: 4,
  });
  const screen = await openScreen({ columns: 120, rows: 36, story, connection: 'stopped' });
  screens.push(screen);
  await screen.press(...paneKeys('timeline'));
  expect(screen.frame()).toMatch(/ signals .*xS$/m);
});

test('the row of a task, the agent at work and the now line show one time', async () => {
  const screen = await open();
  const frame = screen.frame();
  expect(frame).toMatch(/Now: script works on vietnamese 3:05/);
  expect(frame).toMatch(/vietnamese[^│]* running +3:05/);
  expect(frame).toMatch(/▸ vietnamese Executor script +3:05/);
});

test('the row of states begins with the first state of a session, which no event enters', async () => {
  const screen = await openScreen({ columns: 120, rows: 36, story: loopStory(loopRun().work()) });
  screens.push(screen);
  await screen.press(...paneKeys('timeline'));
  expect(screen.frame()).toMatch(/│ state +Work─+/);
});

test.each([
  ['80x24', 80, 24],
  ['120x36', 120, 36],
] as const)(
  'at %s the timeline of a session that failed says so, as its header does',
  async (_, columns, rows) => {
    // A signal a minute later: the last state has room for its word.
    const story = ended().wait(60_000).pending('aaa1', steer);
    const screen = await openScreen({ columns, rows, story });
    screens.push(screen);
    await screen.press('escape', ...paneKeys('timeline'));
    expect(screen.rows()[1]).toContain('Failed');
    expect(screen.frame()).toMatch(/│ state .*─ Failed─/);
    expect(screen.frame()).not.toMatch(/ Done/);
  },
);

test('an attempt that follows at once leaves the sign of how the one before it ended', async () => {
  const story = createStory()
    .begin()
    .tasks([task('a')])
    .wave(1, ['a']);
  for (const attempt of [1, 2, 3]) story.starts('a', attempt).wait(900_000).fails('a', 'a test failed');
  story.starts('a', 4).wait(900_000);
  const screen = await openScreen({ columns: 120, rows: 36, story });
  screens.push(screen);
  await screen.press(...paneKeys('timeline'));
  const lane = screen.rows().find((row) => row.includes('│ Executor')) ?? '';
  expect(lane.match(/✗/g)).toHaveLength(3);
  expect(lane.match(/┣/g)).toHaveLength(4);
});

test('a session that failed ended then: its axis ends with that word, and it was not stopped', async () => {
  const screen = await openScreen({ columns: 120, rows: 36, story: ended() });
  screens.push(screen);
  await screen.press('escape', ...paneKeys('timeline'));
  expect(screen.frame()).toMatch(/ failed 10:\d\d:\d\d$/m);
  expect(screen.frame()).not.toMatch(/stopped|│ signals/);
});
