import { expect, test } from 'vitest';
import type { Backend, Worker } from '../../src/agents/port.ts';
import { createSimulatedSession, type SessionOptions } from '../helpers/engine-session.ts';

const plan = `goal: Fail
tasks:
  - {id: a, title: A, files: [a.txt], run: [work a], verify: [check a]}
`;

const createSession = (options: Partial<SessionOptions> = {}) => {
  const session = createSimulatedSession({
    plan,
    program: ({ command }) => ({
      runsMs: 20_000,
      effect: () => session.disk.put(`/work/${String(command).split(' ')[1]}.txt`, 'done'),
    }),
    ...options,
  });
  return session;
};

const atWork = async (session: ReturnType<typeof createSession>) => {
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  while (!session.find('process.started')) await session.clock.advanceAsync(100);
  return engine;
};

const backend = (name: string, turn: Worker['turn'], stop: Worker['stop'] = async () => {}): Backend => ({
  name,
  label: name,
  start: () => ({ turn, stop }),
});

const planWith = (agent: string) => plan.replace('title: A', `title: A, agent: ${agent}`);

test('an agent that throws is a failed call with its words; it is tried again, and nothing else suffers', async () => {
  let calls = 0;
  const session = createSession({
    plan: planWith('wild'),
    backends: [
      backend('wild', async () => {
        calls += 1;
        throw new Error(`wild number ${calls}`);
      }),
    ],
  });
  const engine = session.begin();
  await engine.start();
  await session.settle(engine);
  const failures = session.all('invocation.failed');
  expect(failures.slice(0, 2)).toMatchObject([
    { kind: 'call', fault: { what: 'wild number 1' } },
    { kind: 'call', fault: { what: 'wild number 2' } },
  ]);
  expect(session.all('retry.scheduled').length).toBeGreaterThan(1);
  expect(engine.state().tasks.get('a')?.attempt).toBeGreaterThan(0);
});

test('a backend that cannot even start a worker, and one that does not exist, are failed calls too', async () => {
  const broken: Backend = {
    name: 'broken',
    label: 'broken',
    start: () => {
      throw new Error('no worker today');
    },
  };
  for (const [agent, words] of [
    ['broken', 'no worker today'],
    ['ghost', 'unknown backend "ghost"'],
  ] as const) {
    const session = createSession({ plan: planWith(agent), backends: [broken] });
    const engine = session.begin();
    await engine.start();
    await session.settle(engine);
    expect(session.find('invocation.failed')).toMatchObject({ kind: 'call', fault: { what: words } });
  }
});

test('an agent that neither answers nor stops does not keep the session from quitting', async () => {
  const session = createSession({
    plan: planWith('stone'),
    backends: [
      backend(
        'stone',
        () => new Promise(() => {}),
        () => new Promise(() => {}),
      ),
    ],
  });
  const engine = session.begin();
  await engine.start();
  while (!session.find('invocation.started', ({ role }) => role === 'Executor'))
    await session.clock.advanceAsync(100);
  const before = session.clock.monotonic();
  const quitting = engine.quit('quit').then(() => session.clock.monotonic() - before);
  await session.clock.advanceAsync(3_000);
  expect(await quitting).toBeLessThanOrEqual(3_000);
  expect(session.find('invocation.interrupted')).toMatchObject({ reason: 'quit' });
});

test('an agent that gives no sign of life is said each minute with the end of its log, then stopped and called again', async () => {
  let turns = 0;
  const session = createSession({
    plan: planWith('silent'),
    backends: [
      {
        ...backend('silent', async () => ({ kind: 'no-result', raw: '' })),
        start: () => ({
          turn: () => {
            turns += 1;
            return new Promise(() => {});
          },
          stop: async () => {},
          lastWords: () => 'connect ECONNREFUSED',
        }),
      },
    ],
  });
  const engine = session.begin();
  await engine.start();
  while (turns < 2) await session.clock.advanceAsync(10_000);
  expect(session.find('invocation.failed')).toMatchObject({ kind: 'stall' });
  expect(session.clock.monotonic()).toBeGreaterThanOrEqual(300_000);
  expect(session.find('problem.found')?.fault.what).toMatch(
    /^silent \(Executor-\d+ on \w+\) has sent nothing for 60 s; its log ends with "connect ECONNREFUSED"$/,
  );
  // Said each minute while it lasts.
  const said = session.all('problem.found').map(({ fault }) => /for (\d+) s/.exec(fault.what)?.[1]);
  expect(said.slice(0, 4)).toEqual(['60', '120', '180', '240']);
  const quitting = engine.quit('quit');
  await session.clock.advanceAsync(3_000);
  await quitting;
});

test('a silent command is no stall: it runs as long as it may', async () => {
  const session = createSession({
    program: () => ({ runsMs: 1_200_000, effect: () => session.disk.put('/work/a.txt', 'done') }),
  });
  const engine = session.begin();
  await engine.start();
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(session.all('invocation.failed')).toEqual([]);
});

test('a lock that somebody else holds now: the engine stops with the sentence and writes nothing', async () => {
  const session = createSession();
  const engine = await atWork(session);
  const epoch = engine.state().host?.epoch ?? 0;
  session.disk.put(`${session.paths.lock}/${epoch + 1}`, 'pid: 1\n');
  const journal = session.disk.text(session.paths.journal);
  const metadata = session.disk.text(session.paths.metadata);
  const end = await session.settle(engine);
  expect(end).toMatchObject({ status: 'blocked', exitCode: 1 });
  expect(end.reason).toContain('another program took over this session');
  expect(session.disk.text(session.paths.journal)).toBe(journal);
  expect(session.disk.text(session.paths.metadata)).toBe(metadata);
  expect(session.disk.text(`${session.paths.lock}/${epoch + 1}`)).toBe('pid: 1\n');
  expect(session.spawn.running()).toEqual([]);
  expect(session.find('session.stopped')).toMatchObject({ status: 'blocked', reason: end.reason });
});

test('a full disk: blocked with a sentence, nothing half written, and with room again the session goes on', async () => {
  for (const space of [0, 40, 400, 1_500]) {
    const session = createSession();
    const engine = await atWork(session);
    session.disk.setSpace(space);
    const end = await session.settle(engine);
    expect(end).toMatchObject({ status: 'blocked', exitCode: 1 });
    expect(end.reason).toMatch(/the disk is full; free some space/);
    expect(session.spawn.running()).toEqual([]);
    for (const line of session.disk.text(session.paths.journal).trim().split('\n')) JSON.parse(line);
    expect(session.disk.text(session.paths.metadata)).toMatch(/journal_seq: \d+\n$/);
    expect(session.disk.tree(session.paths.directory).filter((path) => path.includes('.tmp-'))).toEqual([]);
    session.disk.setSpace(null);
    session.kill();
    const again = session.resume();
    await Promise.all([again.start(), session.clock.advanceAsync(3_000)]);
    expect(await session.settle(again)).toMatchObject({ status: 'completed' });
  }
});

test('a signal that cannot be archived is kept and archived when there is room again', async () => {
  const session = createSession();
  const engine = await atWork(session);
  const processed = `${session.paths.signals}/processed`;
  session.disk.chmod(processed, 0o500);
  const id = session.publish({ type: 'SET', set: { 'timeouts.task_wip_minutes': 7 } });
  await session.clock.advanceAsync(5_000);
  expect(session.all('settings.changed')).toHaveLength(1);
  expect(session.all('problem.found')).toHaveLength(1);
  expect(session.find('signal.handled', (event) => event.id === id)).toBeUndefined();
  session.disk.chmod(processed, 0o700);
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(session.find('signal.handled', (event) => event.id === id)).toBeDefined();
  expect(session.all('settings.changed')).toHaveLength(1);
});

test('a task whose file is gone fails with the words others look for', async () => {
  const session = createSession();
  session.watchers.add((event) => {
    if (event.type === 'tasks.defined') session.disk.unlink(session.paths.iteration(1).task('a'));
  });
  const engine = session.begin();
  await engine.start();
  expect(await session.settle(engine)).toMatchObject({ status: 'awaiting_feedback', exitCode: 1 });
  expect(session.disk.text(session.paths.iteration(1).progress)).toContain('Task definition missing');
});

test('a reader of events that throws is dropped and shown; the session goes on', async () => {
  const session = createSession();
  const engine = session.begin();
  let told = 0;
  engine.subscribe(() => {
    told += 1;
    throw new Error('a screen fell over');
  });
  await engine.start();
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(told).toBe(1);
  expect(session.find('problem.found')).toMatchObject({ fault: { what: 'a screen fell over' } });
});

test('a flood of signals is said once, and the session goes on', async () => {
  const session = createSession();
  const engine = await atWork(session);
  for (let index = 0; index < 1_050; index += 1)
    session.disk.put(
      `${session.paths.signals}/inputs/signal.260215-101501-${String(index).padStart(4, '0')}.yaml`,
      'type: INFO\ntarget: Planner\nmessage: noise\n...\n',
    );
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  const said = session.all('problem.found').filter(({ fault }) => fault.code === 'mailbox-crowded');
  expect(said).toHaveLength(1);
  expect(session.all('signal.undelivered')).toHaveLength(1_050);
});

test('the report of the next attempt says with which exit code the one before failed', async () => {
  let runs = 0;
  const session = createSimulatedSession({
    plan: 'goal: Again\ntasks:\n  - {id: a, title: A, files: [a.txt], run: [work a]}\n',
    program: () => {
      runs += 1;
      return { runsMs: 100, exit: runs === 1 ? 7 : 0, effect: () => session.disk.put('/work/a.txt', 'done') };
    },
  });
  const engine = session.begin();
  await engine.start();
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  const report = session.disk.text(session.paths.iteration(1).report('a', 2));
  expect(report).toMatch(/### Rework Context\s+- Failed before: .*exited 7/);
});
