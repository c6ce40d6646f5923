import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { runProgram, startProgram, startSession } from '../helpers/program.ts';
import { markedProcesses } from '../helpers/real-session.ts';
import { sessionText } from '../helpers/session-files.ts';
import { onlySession, release, waitingPlan, workspaceWith } from '../helpers/workspace.ts';

const startWaiting = async (plan: string = waitingPlan) => {
  const workspace = workspaceWith({ 'plan.yaml': plan });
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
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({
    state: 'EXECUTING_BATCH',
    tasks: { completed: 1 },
  });
  release(workspace, 'second');
  expect((await runProgram(['resume'], { cwd: workspace })).code).toBe(0);
  expect(await ask(['tasks'], { cwd: workspace })).toMatchObject([
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
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({
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

/** The first attempt leaves a process behind that has its own session and ignores TERM. */
const leavingPlan = `goal: Leave something behind
settings: {timeouts: {abort_grace: 300ms}}
tasks:
  - id: first
    title: First
    files: [first.txt]
    run:
      - |
        if [ "$RALPH_ATTEMPT" = 1 ]; then setsid sh -c 'trap "" TERM; while [ -e plan.yaml ]; do sleep 0.05; done' & fi
        echo waiting for first
        while [ ! -e go-first ] && [ -e plan.yaml ]; do sleep 0.05; done
        echo "attempt $RALPH_ATTEMPT" >> first.txt
    verify: [test -s first.txt]
`;

test('after kill -9 what was left running is stopped and verified before anything starts again', async () => {
  const { workspace, program } = await startWaiting(leavingPlan);
  program.kill('SIGKILL');
  await program.done;
  const left = markedProcesses(onlySession(workspace));
  expect(left.length).toBeGreaterThan(1);
  const again = startSession(['resume', '--json'], { cwd: workspace });
  const output = await again.waitFor('"waiting for first');
  const stopped = output.indexOf('"type":"processes.stopped"');
  expect(stopped).toBeGreaterThan(-1);
  expect(stopped).toBeLessThan(output.indexOf('"type":"task.started"'));
  const now = markedProcesses(onlySession(workspace));
  expect(left.filter((pid) => now.includes(pid))).toEqual([]);
  release(workspace, 'first');
  expect((await again.done).code).toBe(0);
  expect(readFileSync(join(workspace, 'first.txt'), 'utf8')).toBe('attempt 2\n');
});

test.each(['SIGTERM', 'SIGHUP'] as const)('%s: agents gone, state saved, exit 4', async (signal) => {
  const { workspace, program } = await startWaiting(leavingPlan);
  program.kill(signal);
  expect((await program.done).code).toBe(4);
  expect(markedProcesses(onlySession(workspace))).toEqual([]);
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({
    status: 'paused',
    stop_reason: 'quit',
    host: null,
  });
});

test('a paused session stays paused over a crash with what was queued, starts nothing, and goes on in the same attempt', async () => {
  const { workspace, program } = await startWaiting();
  await ask(['signal', 'PAUSE'], { cwd: workspace });
  await program.waitFor(/pausing, requested by/);
  release(workspace, 'first');
  await program.waitFor(/\d paused\n/);
  await ask(['signal', 'INFO', 'kept over the crash', '--task', 'first'], { cwd: workspace });
  await program.waitFor(/kept over the crash" will be read when you resume/);
  program.kill('SIGKILL');
  await program.done;
  expect((await runProgram(['resume'], { cwd: workspace })).code).toBe(4);
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({ held: true, status: 'paused' });
  expect(existsSync(join(workspace, 'first.txt'))).toBe(false);
  const again = startSession(['resume', '--lift'], { cwd: workspace });
  await again.waitFor(/resumed by pid/);
  release(workspace, 'second');
  expect((await again.done).code).toBe(0);
  expect(await ask(['tasks'], { cwd: workspace })).toMatchObject([{ attempt: 1 }, { attempt: 1 }]);
  expect(readFileSync(join(workspace, 'first.txt'), 'utf8')).toBe('steer=[] info=[kept over the crash]\n');
});

test('feedback after the end starts iteration 2, and knowledge nobody decided about is carried into it', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  release(workspace, 'first');
  release(workspace, 'second');
  await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  await ask(['feedback', 'add', 'The task `first` says too little'], { cwd: workspace });
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({ iteration: 1, feedback_waits: true });
  const result = await runProgram(['resume'], { cwd: workspace });
  expect(result.code).toBe(0);
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({
    iteration: 2,
    state: 'COMPLETE',
    feedback_waits: false,
  });
  const knowledge = join(onlySession(workspace), 'iterations/2/knowledge');
  const carried = readdirSync(knowledge, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && name !== 'index.md')
    .map((name) => readFileSync(join(knowledge, name), 'utf8'))
    .filter((text) => /^carried_from_iteration: 1$/m.test(text));
  expect(carried.length).toBeGreaterThan(0);
  expect(carried[0]).toMatch(/^carry_reason: \S/m);
  expect(sessionText(workspace, 'iterations/2/knowledge/index.md')).toContain('(carried)');
  // What iteration 1 recorded is still there.
  expect(sessionText(workspace, 'iterations/1/reports/first-report.md')).toMatch(/^attempt: 1$/m);
});
