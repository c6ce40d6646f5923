import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../helpers/program.ts';
import { openScreen, type TerminalOptions, type TestTerminal } from '../helpers/terminal.ts';
import { diamondPlan, workspaceWith } from '../helpers/workspace.ts';

const show = (
  args: readonly string[],
  cwd: string,
  options: Omit<TerminalOptions, 'cwd'> = {},
): TestTerminal => {
  const terminal = openScreen(args, { cwd, columns: 120, rows: 36, ...options });
  onTestFinished(() => terminal.kill('SIGKILL'));
  return terminal;
};

const ended = async (files: Readonly<Record<string, string>> = {}): Promise<string> => {
  const workspace = workspaceWith({ 'plan.yaml': diamondPlan, ...files });
  await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  return workspace;
};

test('a screen follows the configuration of whoever opens it, also over a session that began without it', async () => {
  const workspace = await ended();
  const home = workspaceWith({
    'ralph-tui/config.yaml':
      'ui: {keys: {leave.quit: Q, end.quit: Q}, mouse: true, ascii: true, theme: none}\n',
  });
  for (const args of [['attach'], ['replay', '--speed', '64']]) {
    const id =
      args[0] === 'replay' ? (await runProgram(['sessions', '--json'], { cwd: workspace })).stdout : '';
    const session = /"session_id":"([^"]+)"/.exec(id)?.[1];
    const whole = session === undefined ? args : ['replay', session, '--speed', '64'];
    const terminal = show(whole, workspace, { env: { XDG_CONFIG_HOME: home } });
    const screen = await terminal.waitFor(/Q quit/);
    expect(screen.replaceAll(workspace, '')).toMatch(/^[\x20-\x7e\n]+$/);
    await terminal.waitFor(() => terminal.raw().includes('?1000h'));
    expect(terminal.raw()).not.toMatch(/\u001b\[[\d;]*\b(3[0-8]|9[0-7])(;[\d;]*)?m/);
    terminal.press('Q');
    await terminal.exit;
  }
});

test('so does the start screen, where there is no session yet', async () => {
  const home = workspaceWith({
    'ralph-tui/config.yaml': 'ui: {keys: {start.choose: ctrl-y}, mouse: true}\n',
  });
  const terminal = show([], workspaceWith({}), { env: { XDG_CONFIG_HOME: home } });
  await terminal.waitFor('Start a session');
  await terminal.waitFor('ctrl-y start');
  await terminal.waitFor(() => terminal.raw().includes('?1000h'));
});

test('the help of a command tells of --ascii, which every command takes', async () => {
  for (const command of ['run', 'attach', 'resume', 'demo'])
    expect((await runProgram([command, '--help'], { cwd: '/' })).stdout).toContain('--ascii');
});

test('--ascii draws in plain ASCII, and a light theme in other colours', async () => {
  const workspace = await ended();
  const ascii = show(['attach', '--ascii'], workspace);
  expect(await ascii.waitFor('prints the report')).toMatch(/^[\x20-\x7e\n]+$/);
  const dark = show(['attach'], workspace, { env: { COLORFGBG: '15;0' } });
  await dark.waitFor('prints the report');
  expect(dark.raw()).toContain('38;2;125;207;255');
  const home = workspaceWith({ 'ralph-tui/config.yaml': 'ui: {theme: light}\n' });
  const light = show(['attach'], workspace, { env: { XDG_CONFIG_HOME: home } });
  await light.waitFor('prints the report');
  expect(light.raw()).not.toContain('38;2;125;207;255');
});

test('a workspace that nobody trusted yet gives nobody other keys', async () => {
  const workspace = await ended();
  const { writeIn } = await import('../helpers/workspace.ts');
  writeIn(workspace, '.ralph/config.yaml', 'ui: {keys: {leave.quit: Q}, mouse: true}\n');
  const terminal = show(['attach'], workspace);
  await terminal.waitFor('prints the report');
  terminal.press('escape');
  await terminal.waitFor((screen) => !screen.includes('prints the report') && / q quit/.test(screen));
  await terminal.waitFor(() => terminal.raw().includes('?1000h'));
});
