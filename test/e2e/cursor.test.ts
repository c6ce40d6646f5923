import { expect, onTestFinished, test } from 'vitest';
import { openScreen, type TestTerminal } from '../helpers/terminal.ts';
import { waitingPlan, workspaceWith } from '../helpers/workspace.ts';

/** The row with this text has the visible cursor right behind it. */
const standsBehind = async (terminal: TestTerminal, text: string): Promise<void> => {
  await terminal.waitFor(text);
  const { x, y } = terminal.cursor();
  const y0 = terminal.rows().findLastIndex((row) => row.includes(text));
  expect(terminal.isCursorShown()).toBe(true);
  expect([x, y]).toEqual([terminal.columnAfter(y0, text), y0]);
};

const open = async (): Promise<TestTerminal> => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan, '.ralph/config.yaml': 'commit: false\n' });
  const terminal = openScreen(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('waiting for first');
  return terminal;
};

test.each([
  ['a message', 's'],
  ['the search of the output', '/'],
  ['the filter of the tasks', 'f'],
  ['the palette', ':'],
  ['the filter of the help', '?/'],
  ['the word that confirms', 'A'],
])(
  'the cursor of the terminal stands behind what is typed in %s, also behind wide letters',
  async (_, keys) => {
    const terminal = await open();
    expect(terminal.isCursorShown()).toBe(false);
    for (const key of keys) {
      const before = terminal.screen();
      terminal.press(key);
      await terminal.waitFor((now) => now !== before);
    }
    terminal.type('한글');
    await standsBehind(terminal, '한글');
    // The field of the help is always typed into at its end.
    if (keys === '?/') return;
    terminal.press('left');
    terminal.type('x');
    await standsBehind(terminal, '한x');
  },
);

test('the cursor is hidden again when the field is closed, and on the start screen it stands in the field', async () => {
  const terminal = await open();
  terminal.press('s');
  await terminal.waitFor('─ Steer ─');
  terminal.press('escape');
  await terminal.waitFor((screen) => !screen.includes('─ Steer ─'));
  expect(terminal.isCursorShown()).toBe(false);
  const start = openScreen([], { cwd: workspaceWith({ 'plan.yaml': waitingPlan }) });
  onTestFinished(() => start.kill('SIGKILL'));
  await start.waitFor('What should be done?');
  start.type('한글');
  await standsBehind(start, '한글');
});

test('the terminal is asked for its colours in raw mode: no answer is echoed, or left to the shell', async () => {
  const terminal = await open();
  expect(terminal.raw()).toContain(']11;?');
  expect(terminal.cooked()).not.toMatch(/\]11;\?|\?2004\$p/);
});
