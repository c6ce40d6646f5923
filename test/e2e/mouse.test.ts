import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tabTitle } from '../helpers/pane-key.ts';
import { openScreen, openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { release, waitingPlan, workspaceWith } from '../helpers/workspace.ts';

const eventsTab = `[${tabTitle('events')}]`;
const esc = '\u001b';

const open = async (mouse: boolean, start = openScreen, env: Readonly<Record<string, string>> = {}) => {
  const workspace = workspaceWith({
    'plan.yaml': waitingPlan,
    ...(mouse ? { '.ralph/config.yaml': 'ui: {mouse: true}\n' } : {}),
  });
  const terminal = start(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 120, rows: 36, env });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('waiting for first');
  return { workspace, terminal };
};

/** Whether the terminal tells of its mouse after these bytes. */
const tellsOfMouse = (raw: string): boolean =>
  ['?1000', '?1002', '?1003', '?1006'].some(
    (mode) => raw.lastIndexOf(`${mode}h`) > raw.lastIndexOf(`${mode}l`),
  );

/** The bytes a terminal sends where the screen shows this text. */
const report = (terminal: TestTerminal, text: string, button: number): string => {
  const rows = terminal.rows();
  const row = rows.findIndex((line) => line.includes(text));
  const column = rows[row]?.indexOf(text) ?? -1;
  if (row < 0) throw new Error(`"${text}" is not on the screen\n${terminal.screen()}`);
  const at = `${column + 1};${row + 1}`;
  return `${esc}[<${button};${at}M${button === 0 ? `${esc}[<0;${at}m` : ''}`;
};

describe('without being asked for', () => {
  test('the mouse works, which the first screen says with the way to select text; M gives it back', async () => {
    // The hint is there for some seconds: a process of its own draws while the test waits.
    const { workspace, terminal } = await open(false, openTerminal);
    await terminal.waitFor('Hold Shift to select text; M turns it off');
    await expect.poll(() => tellsOfMouse(terminal.raw())).toBe(true);
    terminal.type(report(terminal, 'Events', 0));
    await terminal.waitFor(eventsTab);
    terminal.press('M');
    await terminal.waitFor('The mouse is off');
    await expect.poll(() => tellsOfMouse(terminal.raw())).toBe(false);
    const second = openScreen(['attach'], { cwd: workspace, columns: 120, rows: 36 });
    onTestFinished(() => second.kill('SIGKILL'));
    await second.waitFor(/p pause/);
    expect(second.screen()).not.toContain('With Shift held');
  });

  test('ui.mouse: false leaves the terminal its mouse, until M takes it', async () => {
    const workspace = workspaceWith({
      'plan.yaml': waitingPlan,
      '.ralph/config.yaml': 'ui: {mouse: false}\n',
    });
    const terminal = openScreen(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 120, rows: 36 });
    onTestFinished(() => terminal.kill('SIGKILL'));
    await terminal.waitFor('waiting for first');
    expect(terminal.raw()).not.toMatch(/\?100[0-6]h/);
    terminal.press('M');
    await terminal.waitFor('The mouse is on');
    await expect.poll(() => tellsOfMouse(terminal.raw())).toBe(true);
  });
});

describe('with ui.mouse', () => {
  test('a tab is shown, a task chosen and then opened, and the wheel scrolls what was printed', async () => {
    const { workspace, terminal } = await open(true);
    await expect.poll(() => tellsOfMouse(terminal.raw())).toBe(true);
    terminal.type(report(terminal, 'Events', 0));
    await terminal.waitFor(eventsTab);
    terminal.type(report(terminal, '· second', 0));
    await terminal.waitFor(/▌.{0,2}· second/);
    terminal.type(report(terminal, '· second', 0));
    await terminal.waitFor(new RegExp(`\\[${tabTitle('details')}\\][\\s\\S]*Waits for`));
    release(workspace, 'first');
    release(workspace, 'second');
    await terminal.waitFor('Waiting for you');
    terminal.type(report(terminal, 'Events', 0));
    await terminal.waitFor(/\d\d \d+ lessons? to keep or drop/);
    for (let notch = 0; notch < 60; notch += 1) terminal.type(report(terminal, eventsTab, 64));
    await terminal.waitFor(/\d\d session \S+ in /);
    for (let notch = 0; notch < 60; notch += 1) terminal.type(report(terminal, eventsTab, 65));
    await terminal.waitFor(/\d\d \d+ lessons? to keep or drop/);
  });

  test('a report that comes in pieces is one click, and no piece of it is a key', async () => {
    const { terminal } = await open(true);
    const bytes = report(terminal, 'Changes', 0);
    for (const byte of bytes) terminal.type(byte);
    await terminal.waitFor(`[${tabTitle('changes')}]`);
    expect(terminal.screen()).not.toContain('Search the log');
    expect(terminal.screen()).not.toContain('attempt');
  });

  test('Esc is still Esc, and arrows are arrows', async () => {
    const { terminal } = await open(true);
    terminal.press('?');
    await terminal.waitFor('Here and now');
    terminal.press('escape');
    await terminal.waitFor((screen) => !screen.includes('Here and now'));
    terminal.press('down');
    await terminal.waitFor(/▌.{0,2}· second/);
  });

  test('what is pasted clicks nothing, even in the form of a report', async () => {
    const { terminal } = await open(true);
    terminal.press('i');
    await terminal.waitFor('─ Inform ─');
    terminal.paste(`one ${report(terminal, 'Esc keep as draft', 0)}two`);
    await terminal.waitFor(/one .*two/);
    expect(terminal.screen()).toContain('─ Inform ─');
  });

  test('the editor has the terminal without it', async () => {
    const { terminal } = await open(true, openTerminal, { EDITOR: 'echo EDITING; true' });
    terminal.press('s');
    await terminal.waitFor('─ Steer ─');
    terminal.press('ctrl-g');
    await terminal.waitFor(() => /EDITING[\s\S]*\?1000h/.test(terminal.raw()));
    expect(tellsOfMouse(terminal.raw().split('EDITING')[0] ?? '')).toBe(false);
    await expect.poll(() => tellsOfMouse(terminal.raw())).toBe(true);
  });
});

describe('the terminal has its mouse back', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('after %s', async (signal) => {
    const { terminal } = await open(true, openTerminal);
    terminal.kill(signal);
    await terminal.exit;
    await expect.poll(() => tellsOfMouse(terminal.raw())).toBe(false);
    expect(terminal.isAlternate()).toBe(false);
  });

  test('after q', async () => {
    const { terminal } = await open(true);
    terminal.press('q');
    await terminal.waitFor('Leave?');
    terminal.press('enter');
    await terminal.exit;
    await expect.poll(() => tellsOfMouse(terminal.raw())).toBe(false);
  });

  test.each([
    [
      'the screen breaks',
      `const padEnd = String.prototype.padEnd;
String.prototype.padEnd = function (...args) {
  if (String(this).startsWith('Pause and')) throw new Error('a component broke');
  return padEnd.apply(this, args);
};
`,
    ],
    [
      'the program does',
      `const padEnd = String.prototype.padEnd;
String.prototype.padEnd = function (...args) {
  if (String(this).startsWith('Pause and')) setImmediate(() => { throw new Error('the program broke'); });
  return padEnd.apply(this, args);
};
`,
    ],
  ])('after a crash: %s', async (_, code) => {
    const breaks = join(workspaceWith({}), 'breaks.mjs');
    writeFileSync(breaks, code);
    const { terminal } = await open(true, openTerminal, { NODE_OPTIONS: `--import ${breaks}` });
    terminal.press('q');
    await terminal.exit;
    expect(terminal.raw()).toMatch(/broke/);
    await expect.poll(() => tellsOfMouse(terminal.raw())).toBe(false);
    expect(terminal.raw()).toMatch(/\u001b\[23;2t/);
    expect(terminal.isAlternate()).toBe(false);
  });
});
