import { afterEach, describe, expect, test } from 'vitest';
import { expectGolden, openScreen, type ScreenOptions, type TestScreen } from '../helpers/screen.tsx';
import { type Story, twoSideBySide } from '../helpers/story.ts';

const screens: TestScreen[] = [];
const open = async (story: Story, options: ScreenOptions = {}): Promise<TestScreen> => {
  const screen = await openScreen({ columns: 120, rows: 36, story, ...options });
  screens.push(screen);
  await screen.press('tab', 'tab');
  return screen;
};
afterEach(() => {
  for (const screen of screens.splice(0)) screen.unmount();
});

const steer = {
  type: 'STEER',
  target: 'Executor',
  task: 'english',
  message: 'use bar, not foo',
  from: 'kim@host',
  created_at: '2026-02-15T03:15:30Z',
} as const;
const waiting = (): Story => twoSideBySide().pending('aaa1', steer);
const handled = (): Story =>
  waiting()
    .claimed('aaa1', steer, 'Executor', 'Executor.3.5')
    .add({
      type: 'signal.delivered',
      id: 'aaa1',
      recipient: 'Executor-6',
      checkpoint: 'Executor.3.5',
      how: 'tree',
      broadcast: false,
    })
    .add({
      type: 'steer.decided',
      id: 'aaa1',
      invocation: 'Executor-6',
      task: 'english',
      verdict: 'adjust',
      evidence: 'no file was changed',
      action: 'goes on with bar',
    })
    .handled('aaa1', steer, 'Ralph-v2-Executor', 'adjust: goes on with bar');

describe.each([
  [60, 20],
  [80, 24],
  [120, 36],
  [200, 50],
] as const)('at %i × %i', (columns, rows) => {
  test('a signal that was handled, with its whole life', async () => {
    const screen = await open(handled(), { columns, rows });
    await screen.press('tab', 'j', 'enter');
    expectGolden(`signal-handled.${columns}x${rows}`, screen.frame());
  });

  test('a signal that waits, with the place where it is read', async () => {
    const screen = await open(waiting(), { columns, rows });
    await screen.press('j', 'enter');
    expectGolden(`signal-waiting.${columns}x${rows}`, screen.frame());
  });
});

test('a waiting signal says at whose checkpoint it is read, and what runs until then', async () => {
  const screen = await open(waiting());
  await screen.press('j', 'enter');
  expect(screen.frame()).toMatch(/at the next checkpoint of Executor-6, after every command/);
  expect(screen.frame()).toContain('npm test -- --grep english');
});

test('e writes a pending message anew: withdrawn, then sent again', async () => {
  const screen = await open(waiting());
  await screen.press('j', 'enter', 'e');
  expect(screen.frame()).toContain('STEER instead of the pending one');
  await screen.type(' at all');
  await screen.press('enter');
  expect(screen.intents).toEqual([
    {
      type: 'replace',
      id: 'aaa1',
      signal: {
        type: 'STEER',
        target: 'Executor',
        task: 'english',
        message: 'use bar, not foo at all',
        iteration: 1,
      },
    },
  ]);
});

test('Esc while editing leaves the pending signal as it is, and keeps what was written', async () => {
  const screen = await open(waiting());
  await screen.press('j', 'e');
  await screen.type(' at all');
  await screen.press('escape');
  expect(screen.intents).toEqual([]);
  await screen.press('e');
  expect(screen.frame()).toContain('use bar, not foo at all');
});

test('x on an opened signal asks and then withdraws it', async () => {
  const screen = await open(waiting());
  await screen.press('j', 'enter', 'x');
  expect(screen.frame()).toContain('Withdraw STEER?');
  await screen.press('enter');
  expect(screen.intents).toEqual([{ type: 'withdraw', id: 'aaa1' }]);
});

test('what was read already is neither edited nor withdrawn, and says by whom', async () => {
  const screen = await open(waiting().claimed('aaa1', steer, 'Executor', 'Executor.3.5'));
  await screen.press('j', 'enter', 'e');
  expect(screen.rows().at(-1)).toContain('Too late: already claimed by Executor');
  await screen.press('x');
  expect(screen.intents).toEqual([]);
});

test('a signal without text is withdrawn, not edited', async () => {
  const screen = await open(twoSideBySide().pending('ppp1', { type: 'PAUSE', target: 'ALL' }));
  await screen.press('j', 'e');
  expect(screen.rows().at(-1)).toContain('PAUSE has no text to edit: x withdraws it');
});
