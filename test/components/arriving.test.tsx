import { afterEach, describe, expect, test } from 'vitest';
import { expectGolden, openScreen, type ScreenOptions, type TestScreen } from '../helpers/screen.tsx';
import { type Story, twoSideBySide } from '../helpers/story.ts';

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
