import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { git, repositoryWith } from '../helpers/repository.ts';
import { openScreen } from '../helpers/terminal.ts';

/** A session at the gate of its plan, where a person asks for the check. */
const checked = async (tasks: string, config: string) => {
  const cwd = repositoryWith({
    'plan.yaml': `goal: Ship\nsettings: {gates: [plan]}\ntasks:\n${tasks}`,
    '.ralph/config.yaml': config,
  });
  const terminal = openScreen(['run', '--plan', 'plan.yaml'], { cwd, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/Waiting for you: approve the plan/);
  terminal.press('u');
  await terminal.waitFor('Approve this plan?');
  terminal.press('ctrl-t');
  return { cwd, terminal };
};

test('the gate of the plan tries what can fail late: first it shows the commands, then what they say', async () => {
  const { cwd, terminal } = await checked(
    '  - {id: one, title: One, run: [touch one.txt], verify: [no-such-program-here --check, test -f one.txt]}\n',
    'worktree: {setup: [touch made-by-setup]}\n',
  );
  await terminal.waitFor(
    /Try this before the work begins\?[\s\S]*touch made-by-setup[\s\S]*no-such-program-here --check[\s\S]*git push --dry-run/,
  );
  // Enter runs nothing that has not been read.
  terminal.press('enter');
  terminal.press('y');
  await terminal.waitFor(
    /What was tried[\s\S]*ok +worktree\.setup[\s\S]*wrong +verify one[\s\S]*it cannot start/,
  );
  expect(git(cwd, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(existsSync(join(cwd, 'made-by-setup'))).toBe(false);
  terminal.press('escape');
  await terminal.waitFor('Approve this plan?');
});

test('closing the window stops a rehearsal, and nothing of it is left', async () => {
  const { cwd, terminal } = await checked(
    '  - {id: one, title: One, run: [touch one.txt], verify: [sleep 600]}\n',
    'worktree: {setup: [touch made-by-setup]}\n',
  );
  await terminal.waitFor('Try this before the work begins?');
  terminal.press('y');
  await terminal.waitFor('Trying what can fail late');
  terminal.press('escape');
  await terminal.waitFor('the rehearsal was stopped');
  await terminal.waitFor('Approve this plan?');
  expect(git(cwd, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
});
