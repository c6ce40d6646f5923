import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withinMs } from '../../src/base/after-awake.ts';
import { createClock } from '../../src/base/clock.io.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { createRealSession, markedProcesses } from '../helpers/real-session.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { diamondPlan } from '../helpers/workspace.ts';

test('the diamond runs to its end with real processes on the real disk; the task that fails its review passes the second time', async () => {
  const workspace = tempDir();
  const session = createRealSession(workspace, diamondPlan);
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await engine.settled()).toMatchObject({ status: 'completed', exitCode: 0, unverified: [] });
  const tasks = [...engine.state().tasks.values()];
  expect(tasks.every(({ status }) => status === 'done')).toBe(true);
  expect(engine.state().tasks.get('right')?.attempt).toBe(2);
  expect(session.read('iterations', '1', 'progress.md')).toMatch(/\[x\] right \(Attempt 2/);
  expect(session.names('iterations', '1', 'reports')).toContain('right-report-r2.md');
  const ended = session.all('command.ended').find(({ log }) => (log?.to ?? 0) > (log?.from ?? 0));
  const log = session.read(ended?.log?.file ?? '');
  expect(log.length).toBeGreaterThanOrEqual(ended?.log?.to ?? 0);
  expect(session.read('journal.jsonl').trim().split('\n')).toHaveLength(
    session.events.filter(({ type }) => type !== 'output.written').length,
  );
});

const hidden = `goal: Hidden
tasks:
  - id: hidden
    title: Leaves a process that nothing ties to it
    files: [out.txt]
    run:
      - |
        (ulimit -S -m unlimited; env -i setsid sh -c 'echo $$ > pid.txt; while [ -e plan.txt ]; do sleep 0.1; done' >/dev/null 2>&1 &)
        while ! test -s pid.txt; do sleep 0.01; done
        echo ready
        sleep 60
`;

test('ABORT names a process that was possibly left, and calls nothing verified', async () => {
  const workspace = tempDir();
  // It ends with this file, which is gone with the workspace.
  writeFileSync(join(workspace, 'plan.txt'), '');
  const session = createRealSession(workspace, hidden);
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.event('output.written', ({ text }) => text.includes('ready'));
  const pid = Number(readFileSync(join(workspace, 'pid.txt'), 'utf8'));
  session.publish({ type: 'ABORT', from: 'kim' });
  expect((await engine.settled()).unverified).toContain(pid);
  const [archive] = session.names('signals', 'processed');
  const said = session.read('signals', 'processed', archive ?? '');
  expect(said).toMatch(new RegExp(`pid .*${pid}.* may still be running`));
  expect(said).not.toContain('verified gone');
});

const stubborn = `goal: Stubborn
tasks:
  - id: stubborn
    title: Ignores TERM and leaves its group
    files: [out.txt]
    run:
      - |
        trap '' TERM
        setsid sh -c 'trap "" TERM; echo away >> out.txt; while :; do sleep 1; done' &
        while ! test -s out.txt; do sleep 0.01; done
        echo ready
        while :; do sleep 1; done
`;

test('ABORT stops a child that ignores TERM and one that left with setsid, says so, and leaves the files alone', async () => {
  const workspace = tempDir();
  const session = createRealSession(workspace, stubborn);
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.event('output.written', ({ text }) => text.includes('ready'));
  session.publish({ type: 'ABORT', from: 'kim' });
  expect(await engine.settled()).toMatchObject({ status: 'aborted', exitCode: 130, unverified: [] });
  expect(markedProcesses(session.paths.directory)).toEqual([]);
  expect(session.all('processes.stopped')[0]?.stopped.length).toBeGreaterThanOrEqual(2);
  expect(session.read('metadata.yaml')).toMatch(/status: aborted[\s\S]*state: COMPLETE/);
  expect(session.read('iterations', '1', 'metadata.yaml')).toMatch(/completed_at: \d{4}/);
  expect(session.read('iterations', '1', 'progress.md')).toMatch(/\[F\] stubborn \(.*Aborted by signal/);
  expect(existsSync(join(workspace, 'out.txt'))).toBe(true);
  const [archive] = session.names('signals', 'processed');
  expect(session.read('signals', 'processed', archive ?? '')).toMatch(
    /action_taken: "?aborted: \d+ processes stopped and verified gone/,
  );
});

test('a signal written by an editor into inputs/ is taken while a command runs', async () => {
  const workspace = tempDir();
  const session = createRealSession(
    workspace,
    'goal: Wait\ntasks:\n  - {id: wait, title: Wait, files: [go], run: ["while ! test -e go; do sleep 0.02; done"]}\n',
  );
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.event('process.started');
  writeFileSync(
    join(session.paths.signals, 'inputs', 'signal.260215-101501.yaml'),
    'type: PAUSE\ntarget: ALL\nmessage: Wait for me\n...\n',
  );
  expect(await session.event('hold.requested')).toMatchObject({ message: 'Wait for me' });
  writeFileSync(join(workspace, 'go'), '');
  await session.event('hold.begun');
  session.publish({ type: 'RESUME' });
  expect(await engine.settled()).toMatchObject({ status: 'completed' });
});

test('quit stops what runs within its grace, and nothing is left of it', async () => {
  const workspace = tempDir();
  const session = createRealSession(workspace, stubborn);
  const engine = session.begin();
  await engine.start();
  await session.event('output.written', ({ text }) => text.includes('ready'));
  let quit = false;
  const quitting = engine.quit('quit').then(() => {
    quit = true;
  });
  // Its own grace of 0.3 s counts, not the usual one; and only time in which this process runs.
  await withinMs(createClock(), defaultSettings.timeouts.abort_grace, quitting);
  expect(quit).toBe(true);
  expect(await engine.settled()).toMatchObject({ status: 'paused', reason: 'quit', exitCode: 4 });
  expect(markedProcesses(session.paths.directory)).toEqual([]);
  expect(session.read('metadata.yaml')).toMatch(/stop_reason: quit/);
});

test('two sessions that began in the same second do not stop each other', async () => {
  const [one, other] = [tempDir(), tempDir()].map((workspace) =>
    createRealSession(workspace, stubborn, { id: '260215-101500' }),
  );
  if (!one || !other) throw new Error('two sessions are needed');
  const engines = [one.begin(), other.begin()];
  for (const engine of engines) expect(await engine.start()).toBeNull();
  for (const session of [one, other])
    await session.event('output.written', ({ text }) => text.includes('ready'));
  await engines[0]?.quit('quit');
  expect(markedProcesses(one.paths.directory)).toEqual([]);
  expect(markedProcesses(other.paths.directory).length).toBeGreaterThanOrEqual(2);
  await engines[1]?.quit('quit');
});

test('a living engine keeps others out, with the pid in the sentence', async () => {
  const workspace = tempDir();
  const session = createRealSession(workspace, stubborn);
  const engine = session.begin();
  await engine.start();
  await session.event('output.written', ({ text }) => text.includes('ready'));
  const before = session.read('journal.jsonl');
  const fault = await session.resume().start();
  expect(fault).toMatchObject({ code: 'lock-held' });
  expect(fault?.what).toContain(String(process.pid));
  expect(session.read('journal.jsonl')).toBe(before);
  await engine.quit('quit');
});

test('secrets that a program prints reach neither journal nor log nor report', async () => {
  const workspace = tempDir();
  const secret = 'a-very-secret-value';
  const github = 'ghp_0123456789012345678901234567';
  writeFileSync(join(workspace, 'keys'), `the key is ${secret} and ${github}\n`);
  const session = createRealSession(
    workspace,
    'goal: Tell\ntasks:\n  - {id: tell, title: Tell, files: [keys], run: ["cat keys; exit 1"]}\n',
    { secrets: [secret], settings: { retries: { max_attempts: 1, backoff: [] } } },
  );
  const engine = session.begin();
  await engine.start();
  expect(await engine.settled()).toMatchObject({ status: 'awaiting_feedback', exitCode: 1 });
  expect(session.read('logs', 'tell-r1.log')).toBe('the key is [redacted] and [redacted]\n');
  expect(session.all('output.written').map(({ text }) => text)).toEqual([
    'the key is [redacted] and [redacted]\n',
  ]);
  const texts = [
    session.read('journal.jsonl'),
    ...session
      .names('iterations', '1', 'reports')
      .map((name) => session.read('iterations', '1', 'reports', name)),
  ];
  expect(texts.length).toBeGreaterThan(1);
  for (const text of texts) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(github);
  }
});
