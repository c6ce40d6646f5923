import { afterEach, describe, expect, test } from 'vitest';
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
