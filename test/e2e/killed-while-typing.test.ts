import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempDir } from '../helpers/temp-dir.ts';
import { openScreen, openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { waitingPlan, workspaceWith } from '../helpers/workspace.ts';

const one = "tasks: [{id: one, title: One, files: [one.txt], run: ['echo 1 > one.txt']}]";

const composer = async (terminal: TestTerminal): Promise<void> => {
  await terminal.waitFor(/running[\s\S]* s steer /);
  terminal.press('s');
  await terminal.waitFor('─ Steer ─');
};

const comment = async (terminal: TestTerminal): Promise<void> => {
  await terminal.waitFor('Needs you');
  terminal.press('u');
  await terminal.waitFor('Approve this plan?');
};

const rejection = async (terminal: TestTerminal): Promise<void> => {
  await terminal.waitFor('Needs you');
  terminal.press('u');
  await terminal.waitFor(/accept[\s\S]*reject/);
  terminal.press('2');
};

test.each([
  ['a message to an agent', waitingPlan, composer],
  ['a comment on a task of the plan', `goal: Gate\nsettings: {gates: [plan]}\n${one}\n`, comment],
  ['the words of an answer', `goal: Judge\nsettings: {review: person}\n${one}\n`, rejection],
])(
  '%s is in its dialog again after the program was killed while a person wrote it',
  async (_, plan, open) => {
    const cwd = workspaceWith({ 'plan.yaml': plan });
    const state = tempDir();
    const options = { cwd, columns: 120, rows: 36, env: { XDG_STATE_HOME: state } };
    const first = openTerminal(['run', '--plan', 'plan.yaml'], options);
    onTestFinished(() => first.kill('SIGKILL'));
    await open(first);
    first.type('use the wide ');
    await first.waitFor('use the wide');
    first.type('margin');
    const file = join(state, 'ralph-tui/written.json');
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toContain('use the wide margin');
    await first.kill('SIGKILL');
    const again = openScreen(['resume'], options);
    onTestFinished(() => again.kill('SIGKILL'));
    await open(again);
    await again.waitFor('use the wide margin');
  },
);
