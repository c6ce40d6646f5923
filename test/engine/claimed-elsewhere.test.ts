import { expect, test } from 'vitest';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Once
tasks:
  - {id: a, title: A, files: [a.txt], run: [work a]}
`;

/** A session whose program was killed, with a signal that a command of another boot had claimed. */
const sessionWithForeignClaim = async () => {
  const session = createSimulatedSession({ plan, program: () => ({ runsMs: 60_000 }) });
  await session.begin().start();
  await session.clock.advanceAsync(2_000);
  const id = session.publish({ type: 'SET', set: { 'concurrency.max_parallel_executors': 2 } });
  const [entry] = session.mailbox().list();
  const { signals } = session.paths;
  const claim = `${id.slice(0, 16)}~boot-9.pid_3a_5b1_5d.200.1200~${entry?.file}`;
  session.disk.rename(`${signals}/inputs/${entry?.file}`, `${signals}/claimed/${claim}`);
  session.kill();
  return { session, id };
};

test('a signal that a program of another boot had claimed is said at the start: nobody else would ever take it', async () => {
  const { session, id } = await sessionWithForeignClaim();
  const again = session.resume();
  expect(await again.start()).toBeNull();
  await session.clock.advanceAsync(5_000);
  expect(session.all('problem.found').map(({ fault }) => fault)).toEqual([
    {
      code: 'claims-remote',
      what: 'a signal is claimed by a program of another boot, container or machine, and nothing here can tell whether that still runs',
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
