import { expect, test } from 'vitest';
import type { Signal } from '../../src/signals/signal.ts';
import { createSimulatedSession } from '../helpers/engine-session.ts';
import { SimulatedCrash } from '../helpers/simulated-disk.ts';

const buildPlan = `goal: Build it
tasks:
  - {id: one, title: One, files: [a.txt], run: [work one]}
  - {id: two, title: Two, files: [b.txt], blockedBy: [one], run: [work two]}
`;

test('a CANCEL file for a task that is done is archived with the reason and changes nothing', async () => {
  const session = createSimulatedSession({
    plan: buildPlan,
    program: ({ command }) => ({
      runsMs: 5_000,
      effect: () => session.disk.put(String(command).endsWith('one') ? '/work/a.txt' : '/work/b.txt', 'x'),
    }),
  });
  const engine = session.begin();
  await engine.start();
  let late = '';
  await session.settle(engine, () => {
    if (late === '' && engine.state().tasks.get('one')?.status === 'done')
      late = session.publish({ type: 'CANCEL', task: 'one' });
  });
  expect(engine.state().signals.get(late)).toMatchObject({
    stage: 'handled',
    action: 'one is done: there is nothing to cancel',
  });
  expect(session.all('task.cancelled')).toEqual([]);
  expect(engine.state().status).toBe('completed');
});

const failingPlan = `goal: Mend it
tasks:
  - {id: broken, title: Broken, files: [a.txt], run: [work broken]}
`;

/** A session that has ended with a failed task: a resume of it ends at once. */
const ended = async () => {
  const session = createSimulatedSession({ plan: failingPlan, program: () => ({ exit: 1 }) });
  const engine = session.begin();
  await engine.start();
  await session.settle(engine);
  const write = (name: string, text: string): void =>
    session.disk.put(`${session.paths.signals}/inputs/${name}`, text);
  const resume = async () => {
    const again = session.resume();
    await Promise.all([again.start(), session.clock.advanceAsync(3_000)]);
    await session.settle(again);
    return again;
  };
  return { session, write, resume };
};

test.each([
  ['a final newline', 'type: RETRY\ntask: broken\n'],
  ['no final newline', 'type: RETRY\ntask: broken'],
])('a signal with %s and no end mark is read by a resume that ends at once', async (_ending, text) => {
  const { session, write, resume } = await ended();
  write('signal.260215-101700.yaml', text);
  await resume();
  expect(session.all('task.reset')).toMatchObject([{ task: 'broken' }]);
  expect(session.disk.readdir(`${session.paths.signals}/inputs`)).toEqual([]);
});

test('what cannot be read and has lain there for 10 s is rejected by a resume that ends at once', async () => {
  const { session, write, resume } = await ended();
  write('signal.260215-101700.yaml', 'type: "RET');
  await session.clock.advanceAsync(11_000);
  await resume();
  expect(session.disk.readdir(`${session.paths.signals}/inputs`)).toEqual([]);
  expect(session.disk.readdir(`${session.paths.signals}/rejected`)).toContain('signal.260215-101700.yaml');
});

const oncePlan = `goal: Once
tasks:
  - {id: a, title: A, files: [a.txt], run: [work a]}
`;

/** A session whose program was killed, with a signal that somebody had claimed who came no further. */
const sessionWithClaim = async (owner: string, signal: Signal) => {
  const session = createSimulatedSession({ plan: oncePlan, program: () => ({ runsMs: 60_000 }) });
  await session.begin().start();
  await session.clock.advanceAsync(2_000);
  const id = session.publish(signal);
  const [entry] = session.mailbox().list();
  const { signals } = session.paths;
  const claim = `${id.slice(0, 16)}~${owner}~${entry?.file}`;
  session.disk.rename(`${signals}/inputs/${entry?.file}`, `${signals}/claimed/${claim}`);
  session.kill();
  return { session, id };
};

/** By a command of another boot. */
const sessionWithForeignClaim = () =>
  sessionWithClaim('boot-9.pid_3a_5b1_5d.200.1200', {
    type: 'SET',
    target: 'ALL',
    set: { 'concurrency.max_parallel_executors': 2 },
  });

test('a signal that a program of another boot had claimed is said at the start: nobody else would ever take it', async () => {
  const { session, id } = await sessionWithForeignClaim();
  const again = session.resume();
  expect(await again.start()).toBeNull();
  await session.clock.advanceAsync(5_000);
  expect(session.all('problem.found').map(({ fault }) => fault)).toEqual([
    {
      code: 'claims-remote',
      what: 'a signal is claimed by a program from another boot, container or machine, and this machine cannot tell whether that program is still running',
      where: 'signals/claimed',
      hint: 'if it is not, stop the session and resume it with --take-over',
    },
  ]);
  expect(session.mailbox().list()).toMatchObject([{ id, stage: 'claimed' }]);
});

test('with --take-over it is taken, and nothing is said', async () => {
  const { session, id } = await sessionWithForeignClaim();
  const again = session.resume(true);
  expect(await again.start()).toBeNull();
  await session.clock.advanceAsync(5_000);
  expect(session.all('problem.found')).toEqual([]);
  expect(again.state().signals.get(id)?.stage).toBe('handled');
});

test('what somebody was taking back when the program died is pending again: an ABORT for a later iteration ends nothing now', async () => {
  const { session, id } = await sessionWithClaim(
    '00000000-0000-4000-8000-000000000001.pid_3a_5b1_5d.900.9000',
    {
      type: 'ABORT',
      target: 'ALL',
      iteration: 2,
    },
  );
  const again = session.resume();
  expect(await again.start()).toBeNull();
  await session.clock.advanceAsync(5_000);
  expect(again.state()).toMatchObject({ running: true, abort: null });
  expect(session.mailbox().list()).toMatchObject([{ id, stage: 'pending' }]);
  expect(again.state().signals.get(id)).toMatchObject({
    stage: 'pending',
    waitsFor: 'waits for iteration 2',
  });
});

test('a signal that is taken back at the very end of a session is withdrawn in the journal too, not pending for ever', async () => {
  const session = createSimulatedSession({
    plan: 'goal: End\ntasks:\n  - {id: a, title: A, files: [a.txt], run: [make a]}\n',
    program: () => ({ runsMs: 100, effect: () => session.disk.put('/work/a.txt', 'made') }),
  });
  let id = '';
  session.watchers.add((event) => {
    if (event.type !== 'state.entered') return;
    if (event.state === 'SESSION_REVIEW')
      id = session.publish({ type: 'INFO', target: 'Questioner', message: 'Too late' });
    if (event.state === 'COMPLETE') session.mailbox().withdraw(id, 'kim');
  });
  const engine = session.begin();
  await engine.start();
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(session.find('signal.pending', ({ pending }) => pending.id === id)).toBeDefined();
  expect(engine.state().signals.get(id)?.stage).toBe('withdrawn');
});

test('a message for the next iteration that is taken back after the session stopped is withdrawn in the journal at the next start', async () => {
  const session = createSimulatedSession({
    plan: 'goal: End\ntasks:\n  - {id: a, title: A, files: [a.txt], run: [make a]}\n',
    program: () => ({ runsMs: 1_000, effect: () => session.disk.put('/work/a.txt', 'made') }),
  });
  const engine = session.begin();
  await engine.start();
  const id = session.publish({ type: 'INFO', target: 'ALL', message: 'For later', iteration: 2 });
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(engine.state()).toMatchObject({ running: false });
  expect(session.mailbox().withdraw(id, 'kim')).toMatchObject({ kind: 'withdrawn' });
  expect(engine.state().signals.get(id)?.stage).toBe('pending');
  const again = session.resume();
  expect(await again.start()).toBeNull();
  await session.settle(again);
  expect(again.state().signals.get(id)).toMatchObject({ stage: 'withdrawn', handledBy: 'kim' });
});

test('a message whose file a power loss brought back after its delivery can be taken back, and the journal says so', async () => {
  const session = createSimulatedSession({
    plan: 'goal: End\ntasks:\n  - {id: a, title: A, files: [a.txt], run: [make a]}\n',
    program: () => ({ runsMs: 60_000 }),
  });
  const engine = session.begin();
  await engine.start();
  const id = session.publish({ type: 'STEER', target: 'Orchestrator', message: 'Also greet' });
  session.watchers.add((event) => {
    if (event.type === 'signal.delivered' && event.id === id) session.disk.crashAfter(2);
  });
  await expect(session.settle(engine)).rejects.toThrow(SimulatedCrash);
  session.kill();
  const { signals } = session.paths;
  const claimed = session.disk.tree(`${signals}/claimed`).find((path) => path.endsWith('.yaml')) ?? '';
  const { file } = session.find('signal.claimed', (event) => event.id === id) ?? { file: '' };
  session.disk.put(`${signals}/inputs/${file}`, session.disk.text(claimed));
  session.disk.drop(claimed);
  session.publish({ type: 'PAUSE' });
  const again = session.resume();
  expect(await again.start()).toBeNull();
  await session.clock.advanceAsync(5_000);
  expect(again.state().signals.get(id)?.stage).toBe('delivered');
  expect(session.mailbox().withdraw(id, 'kim')).toMatchObject({ kind: 'withdrawn' });
  await session.clock.advanceAsync(5_000);
  expect(again.state().signals.get(id)?.stage).toBe('withdrawn');
});
