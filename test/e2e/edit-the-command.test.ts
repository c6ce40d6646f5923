import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../helpers/program.ts';
import { openScreen, openTerminal } from '../helpers/terminal.ts';
import { onlySession, waitFor, workspaceWith, writeIn } from '../helpers/workspace.ts';

const settings = 'settings: {retries: {max_attempts: 2, backoff: [0s]}, knowledge: {gate: never}}';

test('e and ctrl-x mend a wrong command in the editor: the retry runs the new one, without another question', async () => {
  const workspace = workspaceWith({
    'plan.yaml': `goal: Mend me\n${settings.replace('2,', '1,')}\ntasks: [{id: build, title: Build, run: [no-such-tool sync]}]\n`,
  });
  const terminal = openTerminal(['run', '--plan', 'plan.yaml'], {
    cwd: workspace,
    env: { VISUAL: '', EDITOR: "sed -i 's/no-such-tool/echo mended/'" },
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/Ended with failures/);
  terminal.press('e');
  await terminal.waitFor(/Runs +no-such-tool sync[\s\S]*ctrl-x edit the command/);
  terminal.press('ctrl-x');
  await terminal.waitFor(/- no-such-tool sync[\s\S]*\+ echo mended sync/);
  terminal.press('enter');
  await terminal.waitFor('R resumes it');
  terminal.press('R');
  await terminal.waitFor(/─ Complete ─[\s\S]*│ 1 of 1 done/);
  expect(readFileSync(join(onlySession(workspace), 'logs/build-r2.log'), 'utf8')).toContain('mended sync');
  terminal.press('q');
  expect(await terminal.exit).toBe(0);
});

const edited = `goal: Edit me\n${settings}\ntasks: [{id: build, title: Build, run: ['${waitFor('build')}; false']}]\n`;

/** As a person would, in any editor. */
const editTaskFile = (workspace: string): void => {
  const file = join(onlySession(workspace), 'iterations/1/tasks/build.md');
  writeFileSync(file, readFileSync(file, 'utf8').replace('false', 'true'));
};

test('a command edited in the task file outside is asked about on the screen, with the difference, before it runs', async () => {
  const workspace = workspaceWith({ 'plan.yaml': edited });
  const terminal = openScreen(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('waiting for build');
  editTaskFile(workspace);
  writeIn(workspace, 'go-build', '');
  await terminal.waitFor('Needs you (1)');
  terminal.press('u');
  await terminal.waitFor(/Run the edited commands\?[\s\S]*build\.md was edited[\s\S]*; false[\s\S]*; true/);
  terminal.press('1');
  await terminal.waitFor(/1 of 1 done/);
});

test('headless it is not taken over, and the log says so', async () => {
  const workspace = workspaceWith({ 'plan.yaml': edited });
  const running = runProgram(['run', '--plan', 'plan.yaml', '--headless', '--yes'], { cwd: workspace });
  await expect.poll(() => logOf(workspace)).toContain('waiting for build');
  editTaskFile(workspace);
  writeIn(workspace, 'go-build', '');
  const { code, stdout } = await running;
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /the edited commands in iterations\/1\/tasks\/build\.md are not used: only a person/,
  );
});

const logOf = (workspace: string): string => {
  try {
    return readFileSync(join(onlySession(workspace), 'logs/build-r1.log'), 'utf8');
  } catch {
    return '';
  }
};
