import { afterEach, expect, test } from 'vitest';
import { takenNow } from '../../src/signals/routing.ts';
import { steer, waiting } from '../helpers/scenes/looking.ts';
import { openScreen, type ScreenOptions, type TestScreen } from '../helpers/screen.tsx';
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

test('a waiting signal says by whom it is read, when, and what runs until then', async () => {
  const screen = await open(waiting());
  await screen.press('j', 'enter');
  expect(screen.frame()).toMatch(/by the agent on english, after every command/);
  expect(screen.frame()).toContain('npm test -- --grep english');
});

test('an order about a task is for that task, and not for all on it', async () => {
  const retry = { type: 'RETRY', target: 'ALL', task: 'english' } as const;
  const screen = await open(twoSideBySide().pending('r1', retry));
  await screen.press('enter');
  expect(screen.frame()).toMatch(/For +task english/);
  expect(screen.frame()).not.toContain('ALL on');
});

test('e writes a pending message anew: withdrawn, then sent again', async () => {
  const screen = await open(waiting());
  await screen.press('j', 'enter', 'e');
  expect(screen.frame()).toContain('Steer, replacing the pending message');
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
  expect(screen.rows().at(-1)).toContain('Too late: taken by the agent on english');
  await screen.press('x');
  expect(screen.intents).toEqual([]);
});

test('a signal without text is withdrawn, not edited', async () => {
  const screen = await open(twoSideBySide().pending('ppp1', { type: 'PAUSE', target: 'ALL' }));
  await screen.press('j', 'e');
  expect(screen.rows().at(-1)).toContain('PAUSE has no text to edit: x withdraws it');
});

test('a life says once what its agent decided', async () => {
  const decided = { verdict: 'adjust', evidence: '', action: 'STEER applied in-place: use bar' } as const;
  const story = waiting()
    .pending('aaa1', steer, takenNow)
    .claimed('aaa1', steer, 'Ralph-v2-Executor', 'Executor.3.5')
    .add({ type: 'steer.decided', id: 'aaa1', invocation: 'Executor-6', task: 'english', ...decided })
    .handled('aaa1', steer, 'Ralph-v2-Executor', 'adjust: STEER applied in-place: use bar');
  const screen = await open(story);
  await screen.press('tab', 'enter');
  expect(
    screen.rows().filter((row) => /\d the agent on english adjusted its work: use bar/.test(row)),
  ).toHaveLength(1);
  expect(screen.frame()).not.toContain(takenNow);
});

test('a life names its readers as the rest of the screen does, with the place of a checkpoint once', async () => {
  const at = { id: 'aaa1', checkpoint: 'Executor.3.5' };
  const story = waiting()
    .claimed('aaa1', steer, 'Ralph-v2-Executor', 'Executor.3.5')
    .add({
      type: 'signal.delivered',
      ...at,
      recipient: 'Executor~Executor-6',
      how: 'tree',
      broadcast: false,
    });
  const screen = await open(story);
  await screen.press('j', 'enter');
  expect(screen.frame()).toMatch(/Reached +the agent on english/);
  expect(screen.frame()).toMatch(/taken by the agent on english \(after every command\)/);
  expect(screen.frame()).toMatch(/reached the agent on english +│/);
  expect(screen.frame()).not.toMatch(/Executor[~.]/);
});
