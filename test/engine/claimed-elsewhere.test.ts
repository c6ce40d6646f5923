import { expect, test } from 'vitest';
import type { Signal } from '../../src/signals/signal.ts';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Once
tasks:
  - {id: a, title: A, files: [a.txt], run: [work a]}
`;

/** A session whose program was killed, with a signal that somebody had claimed who came no further. */
const sessionWithClaim = async (owner: string, signal: Signal) => {
  const session = createSimulatedSession({ plan, program: () => ({ runsMs: 60_000 }) });
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
      what: 'a signal is claimed by a program of another boot, container or machine, and this machine cannot see whether that still runs',
      where: 'signals/claimed',
      mend: 'stop the session and resume it with --take-over when it does not',
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
