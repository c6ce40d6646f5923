import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { runProgram } from '../helpers/program.ts';
import { sessionText } from '../helpers/session-files.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const plan = `goal: A person judges
settings: {review: person}
tasks:
  - {id: one, title: One, files: [one.txt], run: ['printf "%s" "$RALPH_ATTEMPT" > one.txt']}
`;

test('a person rejects an attempt by a comment on a line and accepts the next; a file alone, or an agent, cannot', async () => {
  const workspace = workspaceWith({ 'plan.yaml': plan });
  const inside = { cwd: workspace };
  const answered = (...args: readonly string[]) => runProgram(['review', 'one', ...args], inside);
  expect((await runProgram(['run', '--plan', 'plan.yaml'], inside)).code).toBe(3);
  expect(await answered()).toMatchObject({ code: 2, stderr: expect.stringContaining('needs one verdict') });
  expect(await answered('--reject', '--comment', 'nowhere')).toMatchObject({ code: 2 });
  const byAgent = { cwd: workspace, env: { RALPH_RUN: 'session/Executor-1' } };
  expect(await runProgram(['review', 'one', '--accept'], byAgent)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('a person answers this'),
  });
  // The same signal, from somebody whose memory holds no such answer.
  const elsewhere = { cwd: workspace, env: { XDG_STATE_HOME: join(workspace, 'other') } };
  expect((await runProgram(['review', 'one', '--accept'], elsewhere)).code).toBe(0);
  expect((await runProgram(['resume'], inside)).code).toBe(3);
  expect(await ask(['signals', 'list'], inside)).toMatchObject([
    { stage: 'rejected', error: expect.stringContaining('only a person answers this') },
  ]);
  expect((await answered('--reject', '--comment', 'one.txt:1: write it again')).code).toBe(0);
  expect((await runProgram(['resume'], inside)).code).toBe(3);
  expect((await answered('--accept')).code).toBe(0);
  expect((await runProgram(['resume'], inside)).code).toBe(0);
  expect(readFileSync(join(workspace, 'one.txt'), 'utf8')).toBe('2');
  const report = sessionText(workspace, 'iterations/1/reports/one-report.md');
  expect(report).toMatch(/Reviewed by .+@.+/);
  expect(report).toContain('one.txt:1: write it again');
});
