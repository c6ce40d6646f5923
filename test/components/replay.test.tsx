import { afterEach, expect, test } from 'vitest';
import { playInto } from '../../src/cli/player.ts';
import { openScreen, type TestScreen } from '../helpers/screen.tsx';
import { twoSideBySide } from '../helpers/story.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const { events } = twoSideBySide();

const open = async (columns = 120, rows = 36): Promise<TestScreen> => {
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
  expect(screen.rows()[0]).toContain(`replay ×1 · 5 of ${events.length}`);
});

test('space stops it and goes on; faster and slower change its pace at once', async () => {
  const screen = await open();
  await screen.press('space');
  await pass(screen, 10_000);
  expect(played(screen)).toBe(1);
  expect(screen.rows()[0]).toContain('paused');
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

test('braces go from state to state, and to the end', async () => {
  const screen = await open();
  await screen.press('space', '}', '}');
  expect(screen.store.getState().session?.state).toBe('BATCHING');
  await screen.press('{');
  expect(screen.store.getState().session?.state).toBe('PLANNING');
  await screen.press('}', '}', '}', '}', '}', '}', '}', '}');
  expect(played(screen)).toBe(events.length);
  expect(screen.rows()[0]).toContain('at the end');
});

test('nothing is steered from a replay', async () => {
  const screen = await open();
  await screen.press('s', 'A', 'x', 'p', 'p');
  expect(screen.intents).toEqual([]);
});

test('f in Events shows only those of a type, or with words', async () => {
  const screen = await openScreen({ columns: 120, rows: 36, story: twoSideBySide() });
  stops.push(screen.unmount);
  await screen.press('4', 'f');
  await screen.type('command.st');
  expect(screen.frame()).toContain('with "command.st": 5 of');
  expect(screen.frame()).not.toContain('wave.chosen');
  expect(screen.intents).toEqual([]);
  await screen.press('enter');
  await screen.press('f', 'escape');
  expect(screen.frame()).toContain('wave.chosen');
});
