import { afterEach, expect, test } from 'vitest';
import { noTerminalPort, type TerminalPort, type Written } from '../../components/ports/terminal-port.ts';
import { paneKeys, tabTitle } from '../helpers/pane-key.ts';
import { busy } from '../helpers/scenes/timing.ts';
import { openScreen, type ScreenOptions, type TestScreen } from '../helpers/screen.tsx';

const screens: TestScreen[] = [];
afterEach(() => {
  for (const screen of screens.splice(0)) screen.unmount();
});

const open = async (options: ScreenOptions = {}): Promise<TestScreen> => {
  const screen = await openScreen({ columns: 200, rows: 50, story: busy(), ...options });
  screens.push(screen);
  return screen;
};

/** The title line of the panes above. */
const titles = (screen: TestScreen): string => screen.rows()[3] ?? '';

test('from 160 columns on a third column shows Details, or the Timeline with W, and Events below', async () => {
  const screen = await open();
  expect(titles(screen)).toMatch(/┬─ Details ─/);
  expect(screen.frame()).toMatch(/├─ Events ─/);
  await screen.press('W');
  expect(titles(screen)).toMatch(/┬─ Timeline ─/);
  await screen.resize(159, 50);
  expect(titles(screen)).not.toMatch(/┬─ (?:Timeline|Details) ─/);
  await screen.press('W');
  expect(screen.frame()).toContain('A third column needs a terminal at least 160 columns wide, and no zoom');
});

test('while its pane is open as a tab, the third column shows the other one', async () => {
  const screen = await open();
  await screen.press(...paneKeys('details'));
  expect(titles(screen)).toContain(`[${tabTitle('details')}]`);
  expect(titles(screen)).toMatch(/┬─ Timeline ─/);
});

test('beside the Events tab the third column has Details and Timeline, and events once', async () => {
  const screen = await open();
  await screen.press(...paneKeys('events'));
  expect(titles(screen)).toContain(`[${tabTitle('events')}]`);
  expect(titles(screen)).toMatch(/┬─ Details ─/);
  expect(screen.frame()).toMatch(/├─ Timeline ─/);
  expect(screen.frame()).not.toMatch(/├─ Events ─/);
});

test('a click into the third column opens its pane as a tab', async () => {
  const screen = await open();
  await screen.click('Blocks');
  expect(titles(screen)).toContain(`[${tabTitle('details')}]`);
});

test('the chosen forms are remembered for the next screen', async () => {
  let kept: Written = { drafts: {}, history: [], shown: { tasks: 'graph', third: 'timeline' } };
  const terminal: TerminalPort = {
    ...noTerminalPort,
    recall: () => kept,
    remember: (_, written) => {
      kept = written;
    },
  };
  const screen = await open({ terminal });
  expect(titles(screen)).toMatch(/┬─ Timeline ─/);
  expect(screen.store.getState().ui.tasks.as).toBe('graph');
  await screen.press('W', 'w');
  expect(kept.shown).toEqual({ tasks: 'list', third: 'details' });
});
