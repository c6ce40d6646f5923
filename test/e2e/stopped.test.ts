import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type RunningProgram, startProgram } from '../helpers/program.ts';
import { openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { waitingPlan, workspaceWith } from '../helpers/workspace.ts';

const open = async (config: string, env: Readonly<Record<string, string>> = {}) => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan, '.ralph/config.yaml': config });
  const terminal = openTerminal(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 120, env });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('waiting for first');
  return { workspace, terminal };
};

/** Resolves when the kernel says that it is stopped. */
const stop = async ({ pid, kill }: Pick<RunningProgram, 'pid' | 'kill'>): Promise<void> => {
  kill('SIGSTOP');
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0]).toBe('T');
};

/** What a shell does when its job is stopped: it takes the terminal back as it was, and writes its prompt. */
const shellTakesOver = ({ pid }: TestTerminal): void => {
  const tty = readlinkSync(`/proc/${pid}/fd/0`);
  execFileSync('sh', ['-c', `stty -F ${tty} sane && printf '\\033[?1049l\\033[?1000l$ ' > ${tty}`]);
};

test.each([false, true])(
  'a screen that was stopped and goes on has its terminal again: all of it is drawn, and keys are keys (mouse: %s)',
  async (mouse) => {
    const { terminal } = await open(`ui: {mouse: ${mouse}}\n`);
    await stop(terminal);
    shellTakesOver(terminal);
    await terminal.waitFor((screen) => !screen.includes('waiting for first'));
    terminal.kill('SIGCONT');
    // Where a frame was due already, it comes before the terminal is taken back.
    const drawn = /Wait for the test[\s\S]*waiting for first[\s\S]*q quit/;
    await terminal.waitFor((screen) => terminal.isAlternate() && drawn.test(screen));
    terminal.press('?');
    await terminal.waitFor('Here and now');
    const raw = terminal.raw();
    expect(raw.lastIndexOf('?1000h') > raw.lastIndexOf('?1000l')).toBe(mouse);
  },
);

test('one that was stopped while an editor has the terminal leaves it to the editor', async () => {
  const { workspace, terminal } = await open('commit: false\n', {
    EDITOR: "sh -c 'echo EDITING; while [ ! -e edited ]; do sleep 0.05; done; echo tide >> $0'",
  });
  terminal.press('s');
  await terminal.waitFor('─ Steer ─');
  terminal.press('ctrl-g');
  await terminal.waitFor('EDITING');
  await stop(terminal);
  terminal.kill('SIGCONT');
  await expect
    .poll(() => readFileSync(`/proc/${terminal.pid}/stat`, 'utf8').split(') ')[1]?.[0])
    .not.toBe('T');
  expect(terminal.isAlternate()).toBe(false);
  execFileSync('touch', [join(workspace, 'edited')]);
  await terminal.waitFor(/─ Steer ─[\s\S]*tide/);
});

test('a command that ended while the program was stopped has ended as it did, however long its time limit has passed', async () => {
  const workspace = workspaceWith({
    'plan.yaml': `goal: Sleep
tasks:
  - {id: one, title: One, files: [one.txt], run: [{cmd: 'echo begun; while [ ! -e go ]; do sleep 0.02; done; echo one > one.txt', timeout: 8s}]}
`,
  });
  const program = startProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  onTestFinished(() => program.kill('SIGKILL'));
  await program.waitFor('one | begun');
  await stop(program);
  execFileSync('sh', ['-c', 'touch go; sleep 9'], { cwd: workspace });
  program.kill('SIGCONT');
  const { code, stdout } = await program.done;
  expect(stdout).toContain('one ok after');
  expect(code).toBe(0);
});
