import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { runProgram } from '../helpers/program.ts';
import { sessionText } from '../helpers/session-files.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const plan = `goal: A person judges
settings:
  review: person
  # Where only commands work, every file counts.
  agents: {look: {type: command, command: [sh, -c, 'echo "{\\"items\\": [], \\"dropped\\": []}"']}}
  roles: {librarian: look}
tasks:
  - {id: one, title: One, files: [one.txt], run: ['printf "%s" "$RALPH_ATTEMPT" > one.txt']}
`;

test('a person rejects an attempt by a comment on a line and accepts the next; a file counts once a person confirms it, and an agent cannot', async () => {
  const workspace = workspaceWith({ 'plan.yaml': plan });
  const inside = { cwd: workspace };
  const answered = (...args: readonly string[]) => runProgram(['review', 'one', ...args], inside);
  expect(
    (await runProgram(['run', '--plan', 'plan.yaml', '--permissions', 'all', '--no-discovery'], inside)).code,
  ).toBe(3);
  expect(await answered()).toMatchObject({ code: 2, stderr: expect.stringContaining('needs one verdict') });
  expect(await answered('--reject', '--comment', 'nowhere')).toMatchObject({ code: 2 });
  const byAgent = { cwd: workspace, env: { RALPH_RUN: 'session/Executor-1' } };
  expect(await runProgram(['review', 'one', '--accept'], byAgent)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('only a person can decide this'),
  });
  // The same signal, from somebody whose memory holds no such answer.
  const elsewhere = { cwd: workspace, env: { XDG_STATE_HOME: join(workspace, 'other') } };
  expect((await runProgram(['review', 'one', '--accept'], elsewhere)).code).toBe(0);
  const resumed = await runProgram(['resume'], inside);
  expect(resumed.code).toBe(3);
  const [, id = ''] =
    /did you send it\? .*ralph-tui signals confirm ([0-9a-f]{8})/.exec(resumed.stdout) ?? [];
  expect(await ask(['signals', 'list'], inside)).toMatchObject([
    { stage: 'pending', unproven: true, from: null, claims_from: expect.stringContaining('@') },
  ]);
  expect(await runProgram(['signals', 'confirm', id], byAgent)).toMatchObject({ code: 2 });
  expect((await runProgram(['signals', 'withdraw', id], inside)).code).toBe(0);
  expect((await answered('--reject', '--comment', 'one.txt:1: write it again')).code).toBe(0);
  expect((await runProgram(['resume'], inside)).code).toBe(3);
  expect((await runProgram(['review', 'one', '--accept'], elsewhere)).code).toBe(0);
  const [, last = ''] =
    /signals confirm ([0-9a-f]{8})/.exec((await runProgram(['resume'], inside)).stdout) ?? [];
  expect(await runProgram(['signals', 'confirm', last], inside)).toMatchObject({ code: 0 });
  expect((await runProgram(['resume'], inside)).code).toBe(0);
  expect(readFileSync(join(workspace, 'one.txt'), 'utf8')).toBe('2');
  const report = sessionText(workspace, 'iterations/1/reports/one-report.md');
  expect(report).toMatch(/Reviewed by .+@.+/);
  expect(report).toContain('one.txt:1: write it again');
});
