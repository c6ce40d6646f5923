import { afterEach, describe, expect, test } from 'vitest';
import { commands } from '../../components/commands.ts';
import { fuzzyScore } from '../../components/help/fuzzy.ts';
import { paletteRowsOf } from '../../components/help/palette-rows.ts';
import { paletteRows } from '../../components/table.ts';
import { ended, nobodyRuns } from '../helpers/scenes/arriving.ts';
import { openScreen, type ScreenOptions, type TestScreen } from '../helpers/screen.tsx';
import { twoSideBySide } from '../helpers/story.ts';

const screens: TestScreen[] = [];
const open = async (options: ScreenOptions = {}): Promise<TestScreen> => {
  const screen = await openScreen({ columns: 120, rows: 36, story: twoSideBySide(), ...options });
  screens.push(screen);
  return screen;
};
afterEach(() => {
  for (const screen of screens.splice(0)) screen.unmount();
});

describe('the palette', () => {
  test('runs what was found by a few letters, and only that', async () => {
    const screen = await open();
    await screen.press(':');
    await screen.type('abort stop');
    await screen.press('enter');
    expect(screen.frame()).toContain('Abort the session?');
    expect(screen.store.getState().ui.overlays.length).toBe(1);
    expect(screen.intents).toEqual([]);
  });

  test('says why a command cannot be used, and stays open', async () => {
    const screen = await open();
    await screen.press(':');
    await screen.type('gates questions');
    expect(screen.frame()).toContain('Nothing is waiting for you');
    await screen.press('enter');
    expect(screen.rows().at(-1)).toContain('Nothing is waiting for you');
    expect(screen.store.getState().ui.overlays.at(-1)?.kind).toBe('palette');
  });

  test.each([
    ['aprv', 'plan-review.approve'],
    ['wthdrw', 'steer.cancel'],
    ['rsm', 'session.resume'],
  ])('finds %s by letters in order, what can be done first', async (typed, id) => {
    const screen = await open();
    await screen.press(':');
    await screen.type(typed);
    const found = paletteRowsOf(commands, screen.store.getState()).map(({ command }) => command.id);
    expect(found.slice(0, 3)).toContain(id);
  });

  test('does not offer to resume a session that has nothing left to do, and says so', async () => {
    const screen = await open({ story: ended(), connection: 'stopped' });
    await nobodyRuns(screen);
    const why = () =>
      paletteRows(screen.store.getState()).find(({ command }) => command.id === 'session.resume')?.why;
    expect(why()).toBe('Nothing to resume yet: r retries a failed task');
    screen.store.act({ type: 'feedback-seen', iteration: 2, needsAgent: false });
    expect(why()).toBeNull();
  });

  test('lists what can be used now first, the best match on top, and the rest with its reason', async () => {
    const screen = await open();
    for (const typed of ['review', 'sess', 'plan', 're', '']) {
      await screen.press(':');
      await screen.type(typed);
      const rows = paletteRowsOf(commands, screen.store.getState());
      const usable = rows.map(({ why }) => why === null);
      expect(usable.lastIndexOf(true), typed).toBeLessThan(
        usable.includes(false) ? usable.indexOf(false) : usable.length,
      );
      await screen.press('escape');
    }
    await screen.press(':');
    await screen.type('sess');
    expect(screen.rows().find((row) => row.includes('▌'))).toContain('sessions');
  });

  test('says how many are below, and finds two letters in titles before the words of sentences', async () => {
    const screen = await open();
    await screen.press(':');
    const total = paletteRows(screen.store.getState()).length;
    const below = Number(/(\d+) more below/.exec(screen.frame())?.[1]);
    expect(below).toBeGreaterThan(total - 20);
    expect(below).toBeLessThan(total);
    await screen.type('th');
    const found = paletteRows(screen.store.getState());
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(({ title }) => !title.includes('th'))).toEqual([]);
    expect(screen.frame()).not.toContain('more below');
  });

  test('begins with what is worth doing here: the issues of a session without any are not among it', async () => {
    const screen = await open();
    await screen.press(':');
    const ids = paletteRows(screen.store.getState()).map(({ command }) => command.id);
    expect(ids.indexOf('steer.pause')).toBeLessThan(3);
    expect(ids.indexOf('issues.refresh')).toBeGreaterThan(ids.indexOf('leave.quit'));
  });

  test('looks for scattered letters only where no command has the word', async () => {
    const screen = await open();
    await screen.press(':');
    await screen.type('plan');
    const found = paletteRows(screen.store.getState());
    expect(found.filter(({ title, what }) => !`${title} ${what}`.includes('plan'))).toEqual([]);
  });

  test('says a sentence and a reason in full below the list where its row is too short for them', async () => {
    const screen = await open({ columns: 80, rows: 24 });
    await screen.press(':');
    await screen.type('comment on the line, as');
    expect(screen.frame()).toContain('Not now');
    expect(screen.frame()).toContain('Comments belong to lines in Changes: 2 shows them');
    expect(screen.frame()).not.toContain('review.comment');
  });

  test('says that no command is called by the name of one that has no key', async () => {
    const screen = await open();
    await screen.press(':');
    await screen.type('replay');
    expect(screen.frame()).toContain('No such command');
  });

  test('finds every command by its own words', async () => {
    const lost = commands.filter((command) => fuzzyScore(command.description, command.description) === null);
    expect(lost).toEqual([]);
  });

  test('moves with the arrows, and the first match is chosen again when one types on', async () => {
    const screen = await open();
    await screen.press(':', 'down', 'down', 'up');
    expect(screen.store.getState().ui.overlays.at(-1)).toMatchObject({ cursor: 1 });
    await screen.type('p');
    expect(screen.store.getState().ui.overlays.at(-1)).toMatchObject({ cursor: 0 });
    await screen.press('escape');
    expect(screen.store.getState().ui.overlays).toEqual([]);
  });

  test('says so when nothing fits, and Enter does nothing', async () => {
    const screen = await open();
    await screen.press(':');
    await screen.type('qqqqqq');
    await screen.press('enter');
    expect(screen.frame()).toContain('No such command');
    expect(screen.intents).toEqual([]);
  });

  test('is typed text for a paste, never a hotkey', async () => {
    const screen = await open();
    await screen.press(':');
    await screen.paste('pause\nq');
    expect(screen.intents).toEqual([]);
    expect(screen.store.getState().ui.overlays.at(-1)).toMatchObject({ editor: { text: 'pause q' } });
  });
});

describe('the search by letters', () => {
  test('prefers whole words, then parts of words, then scattered letters', () => {
    const texts = ['next pane', 'spanner', 'plain', 'steer'];
    const scored = texts.map((text) => [text, fuzzyScore('pan', text)] as const);
    const found = scored.filter(([, score]) => score !== null);
    expect(found.sort((a, b) => (b[1] ?? 0) - (a[1] ?? 0)).map(([text]) => text)).toEqual([
      'next pane',
      'spanner',
      'plain',
    ]);
  });

  test('finds letters in order wherever they begin a word, the tightest first, and not strewn over a sentence', () => {
    expect(fuzzyScore('aprv', 'open a plan, then approve')).not.toBeNull();
    expect(fuzzyScore('aprv', 'approve')).toBeGreaterThan(fuzzyScore('aprv', 'a proper view') ?? -9_999);
    expect(fuzzyScore('aprv', 'abort: stop every agent and leave')).toBeNull();
    expect(fuzzyScore('pprv', 'approve')).toBeNull();
  });
});

describe('help', () => {
  test('over the panes begins with the focused pane, then what can be done here and now', async () => {
    const screen = await open();
    await screen.press('?');
    const rows = screen.rows().map((row) => row.trim());
    const here = rows.findIndex((row) => row.includes('Here and now · Tasks'));
    const session = rows.findIndex((row) => row.includes('The session'));
    expect(rows[here + 1]).toMatch(/Enter +open/);
    expect(rows[session + 1]).toMatch(/p +pause/);
    expect(session).toBeGreaterThan(here);
  });

  test('says a sentence that begins a list whole, and cuts none of them on a wide screen', async () => {
    const screen = await open({ columns: 200, rows: 50 });
    await screen.press('?');
    expect(screen.frame()).toMatch(/p +pause +pause, cancel the pause, or resume/);
    expect(screen.frame()).toMatch(/search +the output and its log file; .*; in the graph, tasks /);
  });

  test('over an overlay tells the keys of that overlay', async () => {
    const screen = await open({
      story: twoSideBySide().knowledgeGate(['a.md']),
    });
    await screen.press('u', '?');
    expect(screen.frame()).toMatch(/select +or deselect the file/);
    expect(screen.frame()).not.toContain('pause, cancel the pause');
    await screen.press('escape');
    expect(screen.frame()).toContain('Keep this lesson?');
  });
});
