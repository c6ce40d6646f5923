import { afterEach, describe, expect, test } from 'vitest';
import { createEditor } from '../../src/store/line-editor.ts';
import { expectGolden, openScreen, type ScreenOptions, type TestScreen } from '../helpers/screen.tsx';
import { type Story, twoSideBySide } from '../helpers/story.ts';

/** Ended with one task failed for good, and two lessons that wait for the next iteration. */
const ended = (): Story => {
  const story = twoSideBySide().commandEnds('english', false, 1);
  for (const attempt of [2, 3])
    story
      .fails('english', 'a test failed')
      .starts('english', attempt)
      .command('english', 'npm test')
      .commandEnds('english', false);
  return story
    .prints('english', 'ok 1 - hello\nnot ok 2 - good night\n# 1 of 2 failed\n')
    .fails('english', '1 of 14 tests failed: "good night" is said in the morning')
    .commandEnds('vietnamese')
    .qualifies('vietnamese')
    .add({
      type: 'knowledge.staged',
      files: [],
      carried: ['reference/schema.md', 'how-to/add.md'],
      dropped: [],
    })
    .state('COMPLETE')
    .add({
      type: 'session.stopped',
      session_id: '260215-101500',
      status: 'awaiting_feedback',
      reason: 'failed tasks',
      exit_code: 1,
    });
};

const sizes = [
  [60, 20],
  [80, 24],
  [120, 36],
  [200, 50],
] as const;

const screens: TestScreen[] = [];
const open = async (options: ScreenOptions): Promise<TestScreen> => {
  const screen = await openScreen(options);
  screens.push(screen);
  return screen;
};
afterEach(() => {
  for (const screen of screens.splice(0)) screen.unmount();
});

/** A session that nobody runs, as a viewer of ours shows it. */
const stopped = async (story: Story, columns = 80, rows = 24): Promise<TestScreen> => {
  const screen = await open({ story, connection: 'stopped', columns, rows });
  screen.store.act({ type: 'connected', connection: 'stopped', canLeaveRunning: true, resumable: true });
  await screen.settle();
  return screen;
};

describe('coming back', () => {
  test.each(sizes)(
    'shows what stopped the session, what was missed, and the keys that go on, at %i×%i',
    async (columns, rows) => {
      const screen = await stopped(twoSideBySide().wait(60_000), columns, rows);
      const text = 'Since you left: 4 done, 1 failed, 2 wait for you';
      screen.store.act({ type: 'noticed', notice: { text, tone: 'info', stays: true } });
      screen.clock.advance(3 * 3_600_000);
      await screen.settle();
      expectGolden(`coming-back.${columns}x${rows}`, screen.frame());
    },
  );

  test('R asks for a resume and nothing else, and what was missed stays until that key', async () => {
    const screen = await stopped(twoSideBySide());
    screen.store.act({
      type: 'noticed',
      notice: { text: 'Since you left: 1 done', tone: 'info', stays: true },
    });
    screen.clock.advance(60_000);
    await screen.settle();
    expect(screen.frame()).toContain('Since you left: 1 done');
    expect(screen.intents).toEqual([]);
    await screen.press('R');
    expect(screen.intents).toEqual([{ type: 'resume' }]);
    expect(screen.frame()).not.toContain('Since you left');
  });

  test('a session of another program can only be read, and R says so', async () => {
    const screen = await open({ story: twoSideBySide(), connection: 'stopped' });
    await screen.press('R');
    expect(screen.frame()).toContain('can only be read');
    expect(screen.intents).toEqual([]);
  });
});

describe('the end screen', () => {
  test.each(sizes)(
    'shows failures first with verdict and log tail, then lessons and what next, at %i×%i',
    async (columns, rows) => {
      const screen = await stopped(ended(), columns, rows);
      await screen.press('E');
      expectGolden(`end.${columns}x${rows}`, screen.frame());
    },
  );

  test('r opens the composer for the chosen failure with its verdict, and says that it waits for a resume', async () => {
    const screen = await stopped(ended(), 120, 36);
    await screen.press('E', 'r');
    expect(screen.frame()).toContain('good night');
    expect(screen.frame()).toContain('Nobody runs the session: it is read on resume');
    await screen.press('enter');
    expect(screen.intents).toMatchObject([{ type: 'publish', signal: { type: 'RETRY', task: 'english' } }]);
    await screen.press('R');
    expect(screen.intents.at(-1)).toEqual({ type: 'resume' });
  });

  test('Enter looks at the details of the failure, Esc back at the panes, q leaves', async () => {
    const screen = await stopped(ended(), 120, 36);
    await screen.press('E', 'enter');
    expect(screen.frame()).toContain('[3 Details]');
    await screen.press('E', 'escape');
    expect(screen.frame()).not.toContain('How it ended');
    await screen.press('E', 'q');
    expect(screen.intents).toEqual([{ type: 'quit', how: 'close' }]);
  });

  test('a session that still runs has none, and E says why', async () => {
    const screen = await open({ story: twoSideBySide() });
    await screen.press('E');
    expect(screen.frame()).toContain('It has not ended');
  });
});

describe('setting out', () => {
  const offers = {
    workspace: '/work/greetings',
    agents: ['script: runs the commands of plans, nothing else'],
    plans: [
      {
        file: 'plan.yaml',
        goal: 'Ship the greeting service',
        lines: ['wave 1  one: npm test'],
        problem: null,
      },
      { file: 'plan.json', goal: '', lines: [], problem: 'plan.json: "goal" is missing' },
    ],
    checks: { goal: 'Run the checks of greetings', lines: ['wave 1  lint: npm run lint'] },
  };
  const start = async (columns = 120, rows = 36): Promise<TestScreen> => {
    const screen = await open({ connection: 'stopped', columns, rows });
    screen.store.act({
      type: 'overlay-opened',
      overlay: { kind: 'start', offers, cursor: 0, editor: createEditor() },
    });
    await screen.settle();
    return screen;
  };

  test.each(sizes)('the start screen looks as it did at %i×%i', async (columns, rows) => {
    expectGolden(`start.${columns}x${rows}`, (await start(columns, rows)).frame());
  });

  test.each(sizes)('the session picker looks as it did at %i×%i', async (columns, rows) => {
    const screen = await stopped(twoSideBySide(), columns, rows);
    const row = {
      workspace: '/work/greetings',
      status: 'paused',
      progress: '3/8',
      ago: '3 h ago',
      pid: null,
    };
    const rowsOf = [
      { ...row, session: '260215-101500', shown: true },
      { ...row, session: '260214-090000', shown: false, status: 'in progress', pid: 4711 },
    ];
    screen.store.act({ type: 'overlay-opened', overlay: { kind: 'sessions', rows: rowsOf, cursor: 1 } });
    await screen.settle();
    expectGolden(`sessions.${columns}x${rows}`, screen.frame());
  });

  test('letters go into the goal, and what cannot be started says why', async () => {
    const screen = await start();
    await screen.type('jq');
    expect(screen.frame()).toContain('jq');
    await screen.press('down', 'down', 'enter');
    expect(screen.frame()).toContain('"goal" is missing');
    expect(screen.intents).toEqual([]);
  });

  test('a plan is shown before it runs; the demo starts at once', async () => {
    const screen = await start();
    await screen.press('down', 'enter');
    expect(screen.frame()).toContain('wave 1  one: npm test');
    expect(screen.intents).toEqual([]);
    await screen.press('enter');
    expect(screen.intents).toEqual([{ type: 'start', start: { what: 'plan', file: 'plan.yaml' } }]);
    const demo = await start();
    await demo.press('down', 'down', 'down', 'down', 'enter');
    expect(demo.intents).toEqual([{ type: 'start', start: { what: 'demo' } }]);
  });
});
