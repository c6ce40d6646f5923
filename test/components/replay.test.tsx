import { afterEach, expect, test } from 'vitest';
import { playInto } from '../../src/cli/launch/player.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { paneKeys } from '../helpers/pane-key.ts';
import { openScreen, type TestScreen } from '../helpers/screen.tsx';
import { createStory, type Story, task, twoSideBySide } from '../helpers/story.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const { events } = twoSideBySide();

const open = async (columns = 120, rows = 36, events = twoSideBySide().events): Promise<TestScreen> => {
  const screen = await openScreen({ columns, rows, connection: 'replay' });
  stops.push(playInto(screen.store, screen.clock, events, 1), screen.unmount);
  await screen.settle();
  return screen;
};
const played = (screen: TestScreen): number => screen.store.getState().replay?.played ?? -1;
const pass = async (screen: TestScreen, ms: number): Promise<void> => {
  screen.clock.advance(ms);
  await screen.settle();
};

test('a replay keeps the time of the journal, and says how far it is', async () => {
  const screen = await open();
  expect(played(screen)).toBe(1);
  await pass(screen, 4_000);
  expect(played(screen)).toBe(5);
  expect(screen.rows()[1]).toContain(`replay ×1 · 5 of ${events.length}`);
});

test('space stops it and goes on; faster and slower change its pace at once', async () => {
  const screen = await open();
  await screen.press('space');
  await pass(screen, 10_000);
  expect(played(screen)).toBe(1);
  expect(screen.rows()[1]).toContain('paused');
  await screen.press('space', '+', '+');
  await pass(screen, 1_000);
  expect(played(screen)).toBe(5);
  await screen.press('-', '-', '-');
  await pass(screen, 4_000);
  expect(played(screen)).toBe(7);
});

test('the arrows go back and on in the time of the journal; what is shown is what was then', async () => {
  const screen = await open();
  await screen.press('space', 'right', 'right', 'right');
  const there = screen.frame();
  expect(played(screen)).toBe(31);
  await screen.press('left');
  expect(played(screen)).toBe(21);
  await screen.press('right');
  expect(screen.frame()).toBe(there);
});

/** Two commands, 45 s without an event between them, and a night in which nobody ran the session. */
const withGaps = (): Story => {
  const story = createStory()
    .begin()
    .tasks([task('t')])
    .wave(1, ['t'])
    .starts('t')
    .command('t', 'sleep 45', 0, 2)
    .wait(45_000)
    .commandEnds('t')
    .add({
      type: 'session.stopped',
      session_id: '260215-101500',
      status: 'paused',
      reason: 'quit',
      exit_code: 4,
    })
    .wait(8 * 3_600_000);
  return story
    .add({
      type: 'session.started',
      reason: 'resume',
      pid: 2,
      epoch: 2,
      program: 'ralph-tui 0.1.0',
      settings: defaultSettings,
      attended: true,
    })
    .wait(30_000)
    .state('BATCHING');
};

test('each arrow moves the clock by 10 s, also where nothing happened for longer, and passes over a night', async () => {
  const screen = await open(120, 36, withGaps().events);
  const clock = (): string => / (\d+:\d\d)$/.exec(screen.rows()[0] ?? '')?.[1] ?? '';
  await screen.press('space');
  const on: string[] = [clock()];
  for (let press = 0; press < 10; press += 1) {
    await screen.press('right');
    on.push(clock());
  }
  // At 0:58 it was left, and taken up again in the morning.
  expect(on).toEqual('0:00 0:10 0:20 0:30 0:40 0:50 0:58 1:08 1:18 1:28 1:28'.split(' '));
  const back: string[] = [];
  for (let press = 0; press < 7; press += 1) {
    await screen.press('left');
    back.push(clock());
  }
  expect(back).toEqual('1:18 1:08 0:58 0:58 0:48 0:38 0:28'.split(' '));
});

test('what is left of a long pause is waited for from where the clock is', async () => {
  const screen = await open(120, 36, withGaps().events);
  await screen.press('space', 'right', 'right', 'right', 'right', 'right');
  const before = played(screen);
  await screen.press('right', 'space');
  await pass(screen, 3_000);
  expect(played(screen)).toBeGreaterThan(before);
});

test('braces go from state to state, and to the end', async () => {
  const screen = await open();
  await screen.press('space', '}', '}');
  expect(screen.store.getState().session?.state).toBe('BATCHING');
  await screen.press('{');
  expect(screen.store.getState().session?.state).toBe('PLANNING');
  await screen.press('}', '}', '}', '}', '}', '}', '}', '}');
  expect(played(screen)).toBe(events.length);
  expect(screen.rows()[1]).toContain('at the end');
});

test('nothing is steered from a replay', async () => {
  const screen = await open();
  await screen.press('s', 'A', 'x', 'p', 'p');
  expect(screen.intents).toEqual([]);
});

test('f in Events shows only those of a type, or with words', async () => {
  const screen = await openScreen({ columns: 120, rows: 36, story: twoSideBySide() });
  stops.push(screen.unmount);
  await screen.press(...paneKeys('events'), 'f');
  await screen.type('command.st');
  expect(screen.frame()).toContain('matching "command.st": 5 of');
  expect(screen.frame()).not.toContain('work begins');
  expect(screen.intents).toEqual([]);
  await screen.press('enter');
  await screen.press('f', 'escape');
  expect(screen.frame()).toContain('work begins');
});
