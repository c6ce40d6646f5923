import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runJson, runProgram, startProgram } from '../helpers/program.ts';
import { release, waitingPlan, workspaceWith } from '../helpers/workspace.ts';

const startWaiting = async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const program = startProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  onTestFinished(() => program.kill('SIGKILL'));
  await program.waitFor('first | waiting for first');
  return { workspace, program };
};

test('after kill -9 resume starts the interrupted attempt under a new number and repeats no result', async () => {
  const { workspace, program } = await startWaiting();
  release(workspace, 'first');
  await program.waitFor('second | waiting for second');
  program.kill('SIGKILL');
  await program.done;
  expect(await runJson(['status'], { cwd: workspace })).toMatchObject({
    state: 'EXECUTING_BATCH',
    tasks: { completed: 1 },
  });
  release(workspace, 'second');
  expect((await runProgram(['resume'], { cwd: workspace })).code).toBe(0);
  expect(await runJson(['tasks'], { cwd: workspace })).toMatchObject([
    { id: 'first', status: 'done', attempt: 1 },
    { id: 'second', status: 'done', attempt: 2 },
  ]);
  expect(readFileSync(join(workspace, 'second.txt'), 'utf8')).toBe('second\n');
});

test('ctrl-C stops the agents, saves, exits 4, and resume goes on', async () => {
  const { workspace, program } = await startWaiting();
  program.kill('SIGINT');
  const result = await program.done;
  expect(result.code).toBe(4);
  expect(result.stdout).toContain('ralph-tui resume');
  expect(await runJson(['status'], { cwd: workspace })).toMatchObject({
    status: 'paused',
    stop_reason: 'quit',
    host: null,
  });
  release(workspace, 'first');
  release(workspace, 'second');
  expect((await runProgram(['resume'], { cwd: workspace })).code).toBe(0);
});

test('a session that a living process runs is not run twice', async () => {
  const { workspace } = await startWaiting();
  const second = await runProgram(['resume', '--json'], { cwd: workspace });
  expect(second.code).toBe(1);
  expect(JSON.parse(second.stdout)).toMatchObject({ error: { code: 'lock-held' } });
});

test('feedback after the end starts iteration 2 with the next resume', async () => {
  const { workspace, program } = await startWaiting();
  release(workspace, 'first');
  release(workspace, 'second');
  await program.done;
  await runJson(['feedback', 'add', 'first.txt says too little'], { cwd: workspace });
  await runProgram(['resume'], { cwd: workspace });
  expect(await runJson(['status'], { cwd: workspace })).toMatchObject({ iteration: 2 });
});
