import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { ask } from '../helpers/ask.ts';
import { runJson, runProgram, startProgram, startSession } from '../helpers/program.ts';
import { markedProcesses } from '../helpers/real-session.ts';
import { processedSignals } from '../helpers/session-files.ts';
import { onlySession, release, waitFor, waitingPlan, workspaceWith } from '../helpers/workspace.ts';

const startWaiting = async (plan: string = waitingPlan, start: typeof startSession = startSession) => {
  const workspace = workspaceWith({ 'plan.yaml': plan });
  const program = start(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  await program.waitFor('first | waiting for first');
  return { workspace, program };
};

/** In a process of its own. */
const startApart: typeof startSession = (args, options) => {
  const program = startProgram(args, options);
  onTestFinished(() => program.kill('SIGKILL'));
  return program;
};

const processed = (workspace: string): string => processedSignals(workspace).join('\n');

test('INFO and STEER from a second process reach the running task and say who handled them', async () => {
  const { workspace, program } = await startWaiting();
  await ask(['signal', 'INFO', 'the tide is out', '--task', 'first'], { cwd: workspace });
  await ask(['signal', 'STEER', 'mind the gap', '--task', 'first', '--apply', 'adjust'], {
    cwd: workspace,
  });
  release(workspace, 'first');
  release(workspace, 'second');
  expect((await program.done).code).toBe(0);
  expect(readFileSync(join(workspace, 'first.txt'), 'utf8')).toBe(
    'steer=[mind the gap] info=[the tide is out]\n',
  );
  const archive = processed(workspace);
  expect(archive).toMatch(/handled_by: Ralph-v2-Executor/);
  expect(archive).toMatch(/checkpoint: Executor\.3\.5/);
  expect(archive).toMatch(/action_taken: /);
});

test('a PAUSE written with a heredoc holds the session at the next boundary, and RESUME ends the hold', async () => {
  const { workspace, program } = await startWaiting();
  const inputs = join(onlySession(workspace), 'signals/inputs');
  execFileSync('sh', [
    '-c',
    `cat > '${inputs}/signal.261121-101500.yaml' <<END\ntype: PAUSE\nmessage: lunch\n...\nEND`,
  ]);
  await program.waitFor(/pausing, requested by/);
  release(workspace, 'first');
  release(workspace, 'second');
  await program.waitFor(/\d paused\n/);
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({ held: true, status: 'paused' });
  await ask(['signal', 'RESUME'], { cwd: workspace });
  expect((await program.done).code).toBe(0);
  // The same attempt went on: no second one was started.
  expect(await ask(['tasks'], { cwd: workspace })).toMatchObject([
    { id: 'first', status: 'done', attempt: 1 },
    { id: 'second', status: 'done', attempt: 1 },
  ]);
});

test('a signal withdrawn in time is never read', async () => {
  const { workspace, program } = await startWaiting();
  const sent = await ask(['signal', 'INFO', 'forget it', '--task', 'second'], { cwd: workspace });
  if (typeof sent !== 'object' || sent === null || !('id' in sent)) throw new Error('no id');
  await ask(['signals', 'withdraw', String(sent.id)], { cwd: workspace });
  release(workspace, 'first');
  release(workspace, 'second');
  await program.done;
  expect(processed(workspace)).toMatch(/action_taken: .*withdrawn/);
});

test('ABORT ends the session with exit 130 and leaves no process, not even one that ignores TERM or left its group', async () => {
  const plan = `goal: Leave nothing
settings: {timeouts: {abort_grace: 300ms}}
tasks:
  - id: first
    title: Stubborn
    files: [a]
    run:
      - "trap '' TERM; setsid sh -c \\"trap '' TERM; while true; do sleep 0.1; done\\" & echo waiting for first; while true; do sleep 0.1; done"
`;
  const { workspace, program } = await startWaiting(plan, startApart);
  const session = onlySession(workspace);
  expect(markedProcesses(session).length).toBeGreaterThan(0);
  await ask(['signal', 'ABORT', 'enough'], { cwd: workspace });
  expect((await program.done).code).toBe(130);
  expect(markedProcesses(session)).toEqual([]);
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({
    status: 'aborted',
    state: 'COMPLETE',
  });
});

test('retry, cancel and answer name what there is when the name is unknown', async () => {
  const { workspace, program } = await startWaiting();
  for (const args of [
    ['retry', 'nothing'],
    ['cancel', 'nothing'],
  ])
    expect(await runProgram(args, { cwd: workspace })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('first, second'),
    });
  expect((await runProgram(['answer', 'nothing', 'yes'], { cwd: workspace })).code).toBe(2);
  await ask(['cancel', 'first'], { cwd: workspace });
  expect((await program.done).code).toBe(1);
});

test('attach in a second process shows the same events until the session ends', async () => {
  const { workspace, program } = await startWaiting(waitingPlan, startApart);
  const viewer = startSession(['attach', '--json'], { cwd: workspace });
  await viewer.waitFor('"type":"task.started"');
  release(workspace, 'first');
  release(workspace, 'second');
  const [ours, theirs] = await Promise.all([program.done, viewer.done]);
  expect(ours.code).toBe(0);
  expect(theirs.code).toBe(0);
  expect(theirs.stdout.trimEnd().split('\n').at(-1)).toContain('"type":"session.stopped"');
  expect(theirs.stdout).toContain('went second');
});

test('a full poll of another program takes what is addressed to it', async () => {
  const { workspace } = await startWaiting();
  writeFileSync(
    join(onlySession(workspace), 'signals/inputs/signal.261121-101500.yaml'),
    'type: INFO\ntarget: Librarian\nmessage: keep this\n...\n',
  );
  expect(await runJson(['signals', 'poll', '--as', 'Librarian'], { cwd: workspace })).toMatchObject([
    { type: 'INFO', message: 'keep this' },
  ]);
  await runJson(['signals', 'poll', '--as', 'Librarian', '--take', '--action', 'noted'], { cwd: workspace });
  expect(processed(workspace)).toMatch(/action_taken: noted/);
});

test('a poll of another program finds what is addressed to it behind hundreds of signals for others', async () => {
  const { workspace } = await startWaiting();
  const inputs = join(onlySession(workspace), 'signals/inputs');
  for (let number = 0; number < 500; number += 1)
    writeFileSync(
      join(
        inputs,
        `signal.261121-${1010 + Math.floor(number / 60)}${String(number % 60).padStart(2, '0')}.yaml`,
      ),
      'type: INFO\ntarget: Reviewer\nmessage: not yet\n...\n',
    );
  writeFileSync(
    join(inputs, 'signal.261121-110000.yaml'),
    'type: INFO\ntarget: Librarian\nmessage: keep this\n...\n',
  );
  expect(await runJson(['signals', 'poll', '--as', 'Librarian'], { cwd: workspace })).toMatchObject([
    { message: 'keep this' },
  ]);
});

test('an approval of knowledge is not shown to a poll, and not taken by it, while only the plan waits', async () => {
  const workspace = workspaceWith({
    'plan.yaml': waitingPlan.replace('tasks:', 'settings: {gates: [plan]}\ntasks:'),
  });
  expect((await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace })).code).toBe(3);
  await ask(['signal', 'APPROVE'], { cwd: workspace });
  const take = ['signals', 'poll', '--as', 'Orchestrator', '--take'];
  expect(await runJson(take, { cwd: workspace })).toEqual([]);
});

test('every pending signal is listed with when it is read, also of a flood, and when nobody runs the session', async () => {
  const { workspace, program } = await startWaiting(waitingPlan, startApart);
  const inputs = join(onlySession(workspace), 'signals/inputs');
  for (let count = 0; count < 1_100; count += 1)
    writeFileSync(
      join(inputs, `signal.261121-101500-${count + 10_000}.yaml`),
      'type: INFO\ntarget: Librarian\nmessage: flood\n...\n',
    );
  const waits = async () =>
    z
      .array(z.object({ waits_for: z.string() }))
      .parse(await ask(['signals'], { cwd: workspace }))
      .map((row) => row.waits_for);
  expect(new Set(await waits())).toEqual(new Set(['waits for the next Librarian']));
  program.kill('SIGKILL');
  await program.done;
  expect(new Set(await waits())).toEqual(new Set(['read when the session is resumed']));
});

test('what is listed as pending and is no signal is not withdrawn, and the reason is told', async () => {
  const { workspace, program } = await startWaiting();
  program.kill('SIGTERM');
  await program.done;
  const broken = join(onlySession(workspace), 'signals/inputs/signal.261121-101500.yaml');
  writeFileSync(broken, 'type: STEEER\nmessage: go\n...\n');
  const { code, stderr } = await runProgram(['signals', 'withdraw', 'signal.261121-101500.yaml'], {
    cwd: workspace,
  });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^[^\n]*is not a valid signal: [^\n]*STEEER[^\n]*fix the file, or delete it\n$/);
});

test('a poll of another program finds what was written by hand without an end mark, or without a line end', async () => {
  const { workspace } = await startWaiting();
  const inputs = join(onlySession(workspace), 'signals/inputs');
  const text = 'type: INFO\ntarget: Librarian\nmessage: by hand';
  writeFileSync(join(inputs, 'signal.261121-101500.yaml'), `${text}\n`);
  writeFileSync(join(inputs, 'signal.261121-101501.yaml'), text);
  expect(await runJson(['signals', 'poll', '--as', 'Librarian', '--take'], { cwd: workspace })).toHaveLength(
    2,
  );
});

test('a poll that cannot archive a signal still prints what it took before, and leaves that one pending', async () => {
  const { workspace } = await startWaiting();
  const signals = join(onlySession(workspace), 'signals');
  const take = ['signals', 'poll', '--as', 'Librarian', '--take'];
  for (const [minute, message] of ['first', 'second'].entries())
    writeFileSync(
      join(signals, `inputs/signal.261121-10150${minute}.yaml`),
      `type: INFO\ntarget: Librarian\nmessage: ${message}\n...\n`,
    );
  const listed = await runJson(['signals', 'poll', '--as', 'Librarian'], { cwd: workspace });
  const id = z.array(z.object({ id: z.string() })).parse(listed)[1]?.id ?? '';
  // Somebody's files have every name it could be archived under.
  for (const suffix of ['', `-${id.slice(0, 16)}`, `-${id}`])
    writeFileSync(join(signals, `processed/signal.261121-101501${suffix}.yaml`), 'type: PAUSE\n...\n');
  const result = await runProgram(take, { cwd: workspace });
  expect(result.code).toBe(1);
  expect(result.stdout).toBe('INFO  signal.261121-101500.yaml  first\n');
  expect(result.stderr).toContain('move the files with those names out of processed/');
  expect(await runJson(['signals', 'poll', '--as', 'Librarian'], { cwd: workspace })).toMatchObject([
    { id, message: 'second' },
  ]);
});

const tellingPlan = `goal: Tell
settings: {retries: {backoff: [0s]}}
tasks:
  - id: first
    title: First
    files: [first.txt]
    run:
      - '${waitFor('first')}'
      - 'echo "$RALPH_INFO" | cut -c1-7 > first.txt; test "$RALPH_ATTEMPT" -gt 1'
`;

test.each([
  ['all that many people said', 25, '', 25],
  ['the newest of what is more than a command takes', 10, 'x'.repeat(15_000), 6],
])('a retry is told %s, and its commands start', async (_, count, tail, told) => {
  const { workspace, program } = await startWaiting(tellingPlan);
  const inputs = join(onlySession(workspace), 'signals/inputs');
  for (let index = 10; index < 10 + count; index += 1)
    writeFileSync(
      join(inputs, `signal.261121-1015${index}.yaml`),
      `type: INFO\ntarget: Executor\nmessage: word ${index} ${tail}\n...\n`,
    );
  release(workspace, 'first');
  expect((await program.done).code).toBe(0);
  // Beside why the attempt before failed.
  const all = readFileSync(join(workspace, 'first.txt'), 'utf8').trimEnd().split('\n');
  const lines = all.filter((line) => line.startsWith('word'));
  expect(lines).toHaveLength(told);
  expect(lines.at(-1)).toBe(`word ${9 + count}`);
});

test('`stop` drains: the running attempt ends, the program exits 4, and `resume` brings the session to its end', async () => {
  const { workspace, program } = await startWaiting();
  await ask(['stop', 'time to go home'], { cwd: workspace });
  await program.waitFor(/draining, requested by .*: time to go home/);
  release(workspace, 'first');
  expect((await program.done).code).toBe(4);
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({ status: 'paused' });
  expect(processed(workspace)).toMatch(/action_taken: "?draining: waiting for Executor on first/);
  release(workspace, 'second');
  expect((await runProgram(['resume', '--headless'], { cwd: workspace })).code).toBe(0);
});

test('`stop --now` aborts; where nobody runs the session `stop` writes nothing and exits 2', async () => {
  const { workspace, program } = await startWaiting();
  await ask(['stop', '--now'], { cwd: workspace });
  expect((await program.done).code).toBe(130);
  const before = processed(workspace);
  const again = await runProgram(['stop'], { cwd: workspace });
  expect(again.code).toBe(2);
  expect(again.stderr).toMatch(/no process is running session .*nothing to stop/);
  expect(processed(workspace)).toBe(before);
});
