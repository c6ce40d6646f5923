import { afterEach, expect, test } from 'vitest';
import { helpRows } from '../../components/table.ts';
import { openScreen, type TestScreen } from '../helpers/screen.tsx';
import { twoSideBySide } from '../helpers/story.ts';

const screens: TestScreen[] = [];
afterEach(() => {
  for (const screen of screens.splice(0)) screen.unmount();
});

const open = async (): Promise<TestScreen> => {
  const screen = await openScreen({ columns: 120, rows: 36, story: twoSideBySide() });
  screens.push(screen);
  await screen.press('?');
  return screen;
};

/** Each key waits for the frame of the one before, as a person's do. */
const spell = (screen: TestScreen, text: string): Promise<void> => screen.press(...text);

const helpOf = (screen: TestScreen) => screen.store.getState().ui.overlays.at(-1);

test('where each key has one row, the sentences begin in one column', async () => {
  const screen = await open();
  const rows = screen.rows();
  const starts = rows
    .slice(
      0,
      rows.findIndex((row) => row.includes('│ More ')),
    )
    .flatMap((row) => /^ +│ {2}\S+(?: ctrl-c)? {2,}[a-z]+(?: [a-z]+)* {2,}/.exec(row)?.[0].length ?? []);
  expect(starts.length).toBeGreaterThan(12);
  expect(new Set(starts).size).toBe(1);
});

test('the rows narrow while one types in the filter, and no letter is a hotkey', async () => {
  const screen = await open();
  await screen.press('/');
  await spell(screen, 'pause q');
  expect(helpOf(screen)).toMatchObject({ filter: { text: 'pause q', focused: true } });
  expect(screen.frame()).toMatch(/quit +leave the session running, pause and leave/);
  expect(screen.frame()).not.toMatch(/cancel +the task/);
  expect(screen.rows().some((row) => row.includes('/ pause q'))).toBe(true);
  expect(screen.intents).toEqual([]);
});

test('Enter keeps the filter and gives the keys back, and the field opens again with its text', async () => {
  const screen = await open();
  await screen.press('/', ...'drain', 'enter');
  expect(helpOf(screen)).toMatchObject({ filter: { text: 'drain', focused: false } });
  expect(screen.frame()).toMatch(/drain +let running work finish/);
  await screen.press('/', 'backspace');
  expect(helpOf(screen)).toMatchObject({ filter: { text: 'drai', focused: true } });
  await screen.press('enter', 'q');
  expect(screen.store.getState().ui.overlays).toEqual([]);
});

test('Esc clears the filter and stays in the help; ctrl-c closes it', async () => {
  const screen = await open();
  await screen.press('/', ...'drain', 'escape');
  expect(helpOf(screen)).toMatchObject({ kind: 'help', filter: { text: '', focused: false } });
  expect(screen.frame()).toMatch(/cancel +the task/);
  await screen.press('/', 'ctrl-c');
  expect(screen.store.getState().ui.overlays).toEqual([]);
  expect(screen.intents).toEqual([]);
});

test('groups without a row go with their rows, and without any row that is said', async () => {
  const screen = await open();
  await screen.press('/', ...'in review');
  expect(screen.frame()).toContain('Symbols in Tasks');
  expect(screen.frame()).toMatch(/◆ +in review/);
  expect(screen.frame()).not.toContain('Here and now');
  await spell(screen, 'zz');
  expect(screen.frame()).toContain('No key matches.');
});

test('arrows scroll while one types, and a changed filter begins at its first row', async () => {
  const screen = await open();
  await screen.press('/', 'e', 'pagedown', 'down');
  expect(helpOf(screen)).not.toMatchObject({ top: 0 });
  await screen.press('s');
  expect(helpOf(screen)).toMatchObject({ top: 0, filter: { text: 'es' } });
});

test('several keys in one read and a paste never reach the keys below', async () => {
  const screen = await open();
  await screen.press('/');
  await screen.type('abort\rA');
  expect(screen.store.getState().ui.overlays).toHaveLength(1);
  await screen.paste('Aq');
  expect(helpOf(screen)).toMatchObject({ kind: 'help', filter: { text: 'abortA' } });
  expect(screen.intents).toEqual([]);
});

test('text that has no room left in the line is not taken', async () => {
  const screen = await open();
  await screen.press('/');
  await screen.type('x'.repeat(80));
  await screen.type('y'.repeat(30));
  expect(helpOf(screen)).toMatchObject({ filter: { text: 'x'.repeat(80) } });
  await screen.press('z');
  expect(helpOf(screen)).toMatchObject({ filter: { text: `${'x'.repeat(80)}z` } });
});

test('the signs are drawn as the Tasks pane draws them', async () => {
  const screen = await open();
  await screen.press('tab', 'G');
  expect(screen.frame()).toMatch(/✓ +done/);
  expect(screen.frame()).toMatch(/▸ +an agent is working on it/);
  expect(screen.frame()).toMatch(/longest chain +of the remaining tasks/);
});

test('what matters here and now comes first, the other groups in one row each until Tab shows them', async () => {
  const screen = await open();
  expect(screen.frame()).toContain('Here and now · Tasks');
  expect(screen.frame()).toContain('The session');
  expect(screen.frame()).toMatch(/│ {2}Move +j ↓ {2}k ↑/);
  expect(screen.frame()).toMatch(/│ {2}Symbols in Tasks/);
  expect(screen.frame()).not.toContain('more below');
  await screen.press('tab');
  expect(screen.frame()).toContain('more below');
  expect(screen.frame()).toContain('fewer keys');
  await screen.press('tab');
  expect(screen.frame()).not.toContain('more below');
});

test('from 120 columns on each key has one row, with its sentence whole', async () => {
  const screen = await open();
  const { view, rows } = await screen.press('tab').then(() => {
    const state = screen.store.getState();
    return { view: state, rows: helpRows(state).filter((row) => row.kind === 'key') };
  });
  expect(view.ui.size.columns).toBe(120);
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.filter(({ keys }) => keys === '')).toEqual([]);
  expect(rows.filter(({ what, why }) => why === null && what.endsWith('…'))).toEqual([]);
});
