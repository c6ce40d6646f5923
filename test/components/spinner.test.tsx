import { expect, onTestFinished, test } from 'vitest';
import { createFrameWriter } from '../../src/cli/terminal/write-frame.ts';
import { openScreen, type ScreenOptions, type TestScreen } from '../helpers/screen.tsx';
import { twoSideBySide } from '../helpers/story.ts';

const open = async (options: ScreenOptions = {}) => {
  const screen = await openScreen({ columns: 80, rows: 24, story: twoSideBySide(), ...options });
  onTestFinished(screen.unmount);
  return screen;
};

/** The agent of the task says something now. */
const says = ({ store, clock }: TestScreen, task: string): void => {
  const said = twoSideBySide().prints(task, 'one more\n').events.at(-1);
  if (said === undefined) throw new Error('nothing was said');
  store.dispatch({ ...said, at: new Date(clock.now()).toISOString() });
};

const signOf = (screen: TestScreen, task: string): string =>
  new RegExp(`([▸/⠁-⣿]) ${task} `).exec(screen.frame())?.[1] ?? '';

/** Lets time pass in small steps, and gives the signs that the task shows one after another. */
const signsWhile = async (
  screen: TestScreen,
  ms: number,
  saysEvery: number | null = null,
): Promise<readonly string[]> => {
  const signs: string[] = [];
  for (let passed = 0; passed < ms; passed += 50) {
    if (saysEvery !== null && passed % saysEvery === 0) says(screen, 'english');
    screen.clock.advance(50);
    await screen.settle();
    const sign = signOf(screen, 'english');
    if (sign !== signs.at(-1)) signs.push(sign);
  }
  return signs;
};

const turning = /^[⠁-⣿]+$/;

test('the sign of a task turns four times a second while output arrives, and stands a second later', async () => {
  const screen = await open();
  await signsWhile(screen, 250, 1_000);
  const signs = await signsWhile(screen, 2_000, 500);
  expect(signs.join('')).toMatch(turning);
  expect(Math.abs(signs.length - 8)).toBeLessThanOrEqual(1);
  expect(signOf(screen, 'vietnamese')).toBe('▸');
  expect((await signsWhile(screen, 1_250)).at(-1)).toBe('▸');
  const drawn = screen.drawn();
  expect(await signsWhile(screen, 3_000)).toEqual(['▸']);
  expect(screen.drawn() - drawn).toBeLessThanOrEqual(3);
});

test('a drawn graph turns the same sign', async () => {
  const screen = await open({ columns: 120, rows: 36 });
  await screen.press('w');
  expect(screen.frame()).toMatch(/[│┃][ ▌]▸ english/);
  const signs = await signsWhile(screen, 1_000, 500);
  expect(signs.length).toBeGreaterThan(3);
  expect(signs.at(-1)).toMatch(turning);
});

test('a turn costs the bytes of one cell, and none is added to the frames of a fast stream', async () => {
  const screen = await open({ columns: 120, rows: 36, theme: { colours: 'true' } });
  await signsWhile(screen, 200, 1_000);
  const bytes: string[] = [];
  const write = createFrameWriter({ columns: 120, rows: 36, write: (text) => bytes.push(text) });
  for (let turn = 0; turn < 4; turn += 1) {
    write(screen.styled().ours);
    await signsWhile(screen, 200);
  }
  const turns = bytes.slice(1).filter((each) => /[⠁-⣿]/.test(each));
  expect(turns.length).toBeGreaterThan(1);
  expect(Math.min(...turns.map((each) => Buffer.byteLength(each)))).toBeLessThanOrEqual(50);

  const before = screen.drawn();
  await signsWhile(screen, 2_000, 100);
  expect(screen.drawn() - before).toBeLessThanOrEqual(21);
});

test.each<[string, ScreenOptions, (screen: TestScreen) => void]>([
  ['in plain ASCII', { theme: { ascii: true } }, () => {}],
  [
    'for a person who wants no motion',
    {},
    ({ store }) => store.act({ type: 'preferred', change: { motion: false } }),
  ],
  [
    'of a session that nobody runs',
    {},
    ({ store }) =>
      store.act({ type: 'connected', connection: 'stopped', canLeaveRunning: true, resumable: true }),
  ],
])('nothing turns %s', async (_when, options, prepare) => {
  const screen = await open(options);
  prepare(screen);
  const signs = await signsWhile(screen, 1_000, 500);
  expect(signs).toHaveLength(1);
  expect(signs[0]).toMatch(/^[▸/]?$/);
});
