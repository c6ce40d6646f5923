import { expect, onTestFinished, test } from 'vitest';
import { noTerminalPort } from '../../components/ports/terminal-port.ts';
import { openScreen, type TestScreen } from '../helpers/screen.tsx';
import { twoSideBySide } from '../helpers/story.ts';

const call = { key: '260214-090000 knowledge 1', text: 'Keep 1 lesson?' };
const waiting = [{ session: '260214-090000', calls: [call] }];

const open = async (columns = 120) => {
  const calls: string[] = [];
  const titles: string[] = [];
  const terminal = {
    ...noTerminalPort,
    call: (text: string) => void calls.push(text),
    title: (text: string) => void titles.push(text),
  };
  const screen: TestScreen = await openScreen({ columns, rows: 36, story: twoSideBySide(), terminal });
  onTestFinished(screen.unmount);
  return { screen, calls, titles };
};

test('a session behind the screen that comes to wait for a person is named in the header, in the title, and called for once', async () => {
  const { screen, calls, titles } = await open();
  screen.store.act({ type: 'hosting', sessions: [{ session: '260214-090000', calls: [] }] });
  await screen.settle();
  expect(screen.rows()[0]).not.toContain('waiting for you');
  expect(titles.at(-1)).toBe('ralph-tui 260215-101500 · running');
  screen.store.act({ type: 'hosting', sessions: waiting });
  await screen.settle();
  expect(screen.rows()[0]).toContain('session 260214-090000 is waiting for you: S');
  expect(titles.at(-1)).toBe('(1) ralph-tui 260215-101500 · running');
  expect(calls).toEqual(['260214-090000: Keep 1 lesson?']);
  screen.store.act({ type: 'hosting', sessions: [...waiting] });
  await screen.settle();
  expect(calls).toHaveLength(1);
  screen.store.act({ type: 'hosting', sessions: [] });
  await screen.settle();
  expect(screen.rows()[0]).not.toContain('waiting for you');
});

test('several are counted, where there is no room they are told of in few words, and a click opens the list', async () => {
  const { screen } = await open(60);
  screen.store.act({ type: 'hosting', sessions: waiting });
  await screen.settle();
  expect(screen.rows()[0]).toContain('another is waiting: S');
  screen.store.act({
    type: 'hosting',
    sessions: [...waiting, { session: '260213-090000', calls: [{ ...call, key: 'other' }] }],
  });
  await screen.settle();
  expect(screen.rows()[0]).toContain('2 others waiting: S');
  await screen.press('M');
  await screen.click('others waiting');
  expect(screen.intents).toEqual([{ type: 'sessions' }]);
});

test.each([60, 80, 120])(
  'at %i columns every row of the picker names the goal of its session',
  async (columns) => {
    const { screen } = await open(columns);
    const row = {
      workspace: '/work/a',
      status: 'paused',
      progress: '3/8',
      ago: '3 h ago',
      pid: null,
      shown: false,
    };
    const goals = ['Add a cache', 'Sign in by mail', 'Port it'];
    screen.store.act({
      type: 'overlay-opened',
      overlay: {
        kind: 'sessions',
        rows: goals.map((goal, index) => ({ ...row, goal, session: `26021${index}-101500` })),
        cursor: 0,
      },
    });
    await screen.settle();
    const listed = screen.rows().filter((text) => /26021\d-101500 {2}paused/.test(text));
    expect(listed).toEqual(goals.map((goal) => expect.stringContaining(goal)));
  },
);
