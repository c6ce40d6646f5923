import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { personGit } from '../helpers/changes.ts';
import { paneKey } from '../helpers/pane-key.ts';
import { runProgram } from '../helpers/program.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openScreen } from '../helpers/terminal.ts';

test('a team takes three issues to a merge without a terminal: workers of each role, no message, and all leave', async () => {
  const { code, stdout, stderr } = await runProgram(['demo', 'team', '--json'], { cwd: tempDir() });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const events = stdout
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));
  const of = (type: string) => events.filter((event) => event['type'] === type);
  const workspace = String(of('session.created')[0]?.['workspace']);
  onTestFinished(() => removeTree(workspace));
  const claims = of('task.claimed').map(({ task, worker }) => `${worker} ${task}`);
  expect(claims).toEqual(expect.arrayContaining(['validator-1 review-2_stream', 'integrator-1 pr-2_stream']));
  const builders = of('task.claimed').flatMap(({ task, worker }) =>
    String(task).startsWith('implement') ? [worker] : [],
  );
  expect(builders).toHaveLength(2);
  for (const worker of builders) expect(worker).toMatch(/^builder-[12]$/);
  expect(new Set(of('task.claimed').map(({ task }) => task)).size).toBe(claims.length);
  expect(events.filter(({ type }) => type === 'message.arrived')).toEqual([]);
  expect(of('worker.left').map(({ worker }) => worker)).toEqual([
    'analyst-1',
    'builder-1',
    'validator-1',
    'integrator-1',
    'builder-2',
  ]);
  for (const id of ['1', '2', '3'])
    expect(readFileSync(join(workspace, `.ralph/issues/${id}.md`), 'utf8')).toMatch(/state: done/);
  expect(personGit(workspace, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
});

test('the Timeline shows each worker of the team, what it works on, and why one is idle', async () => {
  const terminal = openScreen(['demo', 'team'], { cwd: tempDir(), columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/research-2 .*running/);
  terminal.press(paneKey('timeline'));
  await terminal.waitFor(/Team: \d of 4 at work/);
  await terminal.waitFor(/analyst-1\s+\d:\d\d research-\d/);
  await terminal.waitFor(/validator-1\s+\d:\d\d idle: waits for plan-2_group/);
  await terminal.waitFor(/integrator-1\s+\d:\d\d idle: waits for implement-2, implement-3/);
  terminal.resize(80, 24);
  await terminal.waitFor(/validator-1\s+\d:\d\d waits for/);
  await terminal.waitFor(/Approve the plan for issue \d "/);
  await terminal.waitFor(/builder-2/);
});
