import { expect, test } from 'vitest';
import { defaultSettings } from '../../src/session/settings.ts';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Hold
tasks:
  - id: long
    title: A long one
    files: [long.txt]
    run: [work one, work two]
    verify: [check]
`;

const createSession = (text = plan) => {
  const session = createSimulatedSession({
    plan: text,
    program: ({ command }) => ({
      runsMs: String(command).startsWith('work') ? 60_000 : 100,
      effect: () => session.disk.put('/work/long.txt', 'done'),
    }),
  });
  return session;
};

/** Runs until the first command of the task works. */
const atWork = async (session: ReturnType<typeof createSession>) => {
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  while (!session.find('process.started')) await session.clock.advanceAsync(100);
  return engine;
};

test('PAUSE during a running command lets it finish, queues what comes, and RESUME goes on in the same attempt', async () => {
  const session = createSession();
  const engine = await atWork(session);
  session.publish({ type: 'PAUSE', from: 'kim', message: 'Read the specification' });
  await session.clock.advanceAsync(2_000);
  expect(engine.state().hold).toMatchObject({ stage: 'pausing', by: 'kim' });
  expect(session.spawn.running()).toHaveLength(1);

  await session.clock.advanceAsync(60_000);
  expect(engine.state().hold?.stage).toBe('paused');
  expect(session.find('command.ended')).toMatchObject({ exit: '0', ok: true });
  expect(session.disk.text(session.paths.metadata)).toContain('status: paused');
  expect(session.disk.text(session.paths.iteration(1).progress)).toMatch(
    /\[\/\] long \(.*Paused by signal\./,
  );

  const info = session.publish({ type: 'INFO', target: 'Executor', message: 'The fact' });
  const steer = session.publish({
    type: 'STEER',
    target: 'Executor',
    message: 'Also greet',
    apply: 'adjust',
  });
  const commands = session.spawn.started.length;
  await session.clock.advanceAsync(3_600_000);
  expect(session.spawn.started).toHaveLength(commands);
  for (const id of [info, steer])
    expect(engine.state().signals.get(id)).toMatchObject({
      stage: 'pending',
      queued: true,
      waitsFor: 'will be read when you resume',
    });
  const lines = session.disk.text(session.paths.journal).length;
  await session.clock.advanceAsync(600_000);
  expect(session.disk.text(session.paths.journal)).toHaveLength(lines);

  session.publish({ type: 'RESUME', from: 'kim', message: 'Go on' });
  const end = await session.settle(engine);
  expect(end).toMatchObject({ status: 'completed', exitCode: 0 });
  const invocation = session.find('invocation.paused')?.invocation;
  expect(session.find('invocation.resumed')).toMatchObject({
    invocation,
    messages: [
      { kind: 'PAUSE', text: 'Read the specification' },
      { kind: 'RESUME', text: 'Go on' },
    ],
  });
  for (const id of [info, steer])
    expect(session.find('signal.delivered', (event) => event.id === id)?.recipient).toBe(
      `Executor~${invocation}`,
    );
  expect(session.all('command.started').map(({ command }) => command.cmd)).toEqual([
    'work one',
    'work two',
    'check',
  ]);
  expect(engine.state().tasks.get('long')).toMatchObject({ status: 'done', attempt: 1 });
  const second = session.spawn.started.find(({ command }) => command === 'work two');
  expect(second?.env).toMatchObject({ RALPH_STEER: 'Also greet', RALPH_ATTEMPT: '1' });
  expect(second?.env['RALPH_INFO']?.split('\n')).toEqual(
    expect.arrayContaining(['The fact', 'Read the specification', 'Go on']),
  );
});

test('a hold survives the end of the program, and the same invocation goes on after it', async () => {
  const session = createSession();
  const engine = await atWork(session);
  session.publish({ type: 'PAUSE' });
  await session.clock.advanceAsync(70_000);
  expect(engine.state().hold?.stage).toBe('paused');
  await engine.quit('quit');
  expect(await engine.settled()).toMatchObject({ status: 'paused', reason: 'quit', exitCode: 4 });

  const again = session.resume();
  expect(await again.start()).toBeNull();
  await session.clock.advanceAsync(10_000);
  expect(again.state().hold?.stage).toBe('paused');
  expect(session.all('invocation.resumed')).toEqual([]);
  session.publish({ type: 'RESUME' });
  expect(await session.settle(again)).toMatchObject({ status: 'completed' });
  expect(session.all('command.started').map(({ command }) => command.cmd)).toEqual([
    'work one',
    'work two',
    'check',
  ]);
});

test('a message that says resume ends the hold and is delivered', async () => {
  const session = createSession();
  const engine = await atWork(session);
  session.publish({ type: 'PAUSE' });
  await session.clock.advanceAsync(70_000);
  const id = session.publish({ type: 'STEER', target: 'Executor', message: 'Also greet', resume: true });
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(session.find('hold.ended')?.signal).toBe(id);
  expect(session.find('steer.decided', (event) => event.id === id)?.invocation).toBe(
    session.find('invocation.paused')?.invocation,
  );
});

test('a message that ended one hold, or came before it, does not end the next one while it waits', async () => {
  const session = createSession(`${plan}
  - {id: later, title: Later, blockedBy: [long], files: [later.txt], run: [work three]}
`);
  const engine = await atWork(session);
  const early = { type: 'STEER', target: 'ALL', task: 'later', message: 'Also greet', resume: true } as const;
  const id = session.publish(early);
  await session.clock.advanceAsync(2_000);
  session.publish({ type: 'PAUSE' });
  await session.clock.advanceAsync(2_000);
  expect(engine.state().hold?.stage).toBe('pausing');

  session.publish({ ...early, message: 'And wave' });
  await session.clock.advanceAsync(2_000);
  expect(engine.state().hold).toBeNull();
  session.publish({ type: 'PAUSE' });
  await session.clock.advanceAsync(70_000);
  expect(engine.state().hold?.stage).toBe('paused');
  expect(engine.state().signals.get(id)?.waitsFor).toBe('will be read when you resume');

  session.publish({ type: 'RESUME' });
  await session.settle(engine);
  expect(session.find('signal.handled', (event) => event.id === id)).toMatchObject({
    handled_by: 'Ralph-v2-Executor',
  });
});

test('RESUME while the pause is still under way goes on without one', async () => {
  const session = createSession();
  const engine = await atWork(session);
  session.publish({ type: 'PAUSE' });
  await session.clock.advanceAsync(2_000);
  session.publish({ type: 'RESUME' });
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(session.all('invocation.paused')).toEqual([]);
  expect(session.all('hold.begun')).toEqual([]);
});

test('quit during a command stops it, saves, and the attempt starts again under the next number', async () => {
  const session = createSession();
  const engine = await atWork(session);
  const quitting = engine.quit('quit');
  await session.clock.advanceAsync(3_000);
  await quitting;
  expect(session.spawn.running()).toEqual([]);
  expect(session.disk.text(session.paths.metadata)).toMatch(/status: paused[\s\S]*stop_reason: quit/);
  expect(session.disk.text(session.paths.iteration(1).progress)).not.toContain('[/] long');

  const again = session.resume();
  expect(await again.start()).toBeNull();
  expect(await session.settle(again)).toMatchObject({ status: 'completed' });
  expect(again.state().tasks.get('long')).toMatchObject({ status: 'done', attempt: 2, failures: 0 });
  expect(session.all('command.started').map(({ command }) => command.cmd)).toEqual([
    'work one',
    'work one',
    'work two',
    'check',
  ]);
});

test('a gate, a hold and what becomes of a task are in the journal file before an observer can print them', async () => {
  const session = createSimulatedSession({
    plan,
    attended: true,
    settings: { knowledge: { ...defaultSettings.knowledge, gate: 'always', approval_timeout: null } },
    program: () => ({ runsMs: 5_000, effect: () => session.disk.put('/work/long.txt', 'done') }),
  });
  const found: [string, boolean][] = [];
  session.watchers.add(({ type, seq }) => {
    if (type === 'gate.opened' || type === 'hold.begun' || type === 'task.qualified')
      found.push([type, session.disk.text(session.paths.journal).includes(`"seq":${seq},`)]);
  });
  const engine = await atWork(session);
  session.publish({ type: 'PAUSE' });
  while (engine.state().hold?.stage !== 'paused') await session.clock.advanceAsync(1_000);
  session.publish({ type: 'RESUME' });
  while (!engine.state().gate) await session.clock.advanceAsync(1_000);
  await engine.quit('over');
  expect(found).toEqual([
    ['hold.begun', true],
    ['task.qualified', true],
    ['gate.opened', true],
  ]);
});
