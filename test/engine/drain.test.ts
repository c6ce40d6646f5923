import { expect, test } from 'vitest';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Drain
tasks:
  - id: one
    title: The first
    files: [one.txt]
    run: [work one]
  - id: two
    title: The second
    files: [two.txt]
    blockedBy: [one]
    run: [work two]
`;

const createSession = () => {
  const session = createSimulatedSession({
    plan,
    program: () => ({
      runsMs: 60_000,
      effect: () => {
        session.disk.put('/work/one.txt', 'done');
        session.disk.put('/work/two.txt', 'done');
      },
    }),
  });
  return session;
};

const atWork = async (session: ReturnType<typeof createSession>) => {
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  while (!session.find('process.started')) await session.clock.advanceAsync(100);
  return engine;
};

test('DRAIN is read while a command runs, the command ends by itself, and a second DRAIN changes nothing', async () => {
  const session = createSession();
  const engine = await atWork(session);
  session.publish({ type: 'DRAIN', from: 'kim' });
  session.publish({ type: 'DRAIN', from: 'lee' });
  await session.clock.advanceAsync(2_000);
  expect(engine.state().drain).toMatchObject({ by: 'kim' });
  expect(session.spawn.running()).toHaveLength(1);
  expect(await session.settle(engine)).toMatchObject({
    status: 'paused',
    reason: 'drain requested by kim',
    exitCode: 4,
  });
  expect(session.find('command.ended')).toMatchObject({ exit: '0', ok: true });
  expect(session.all('signal.handled').map(({ action_taken }) => action_taken)).toEqual([
    'draining: waiting for Executor on one',
    'already draining',
  ]);
});

test('a DRAIN that was sent while nobody ran the session does not stop the next start', async () => {
  const session = createSession();
  await atWork(session);
  session.kill('disk-lives-on');
  session.publish({ type: 'DRAIN', from: 'kim' });
  const again = session.resume();
  expect(await again.start()).toBeNull();
  expect(await session.settle(again)).toMatchObject({ status: 'completed', exitCode: 0 });
  expect(session.find('signal.handled')).toMatchObject({
    action_taken: 'ignored: no process was running the session when it was sent',
  });
});

test('a program killed with a DRAIN unread resumes and runs to its end', async () => {
  const session = createSession();
  await atWork(session);
  session.publish({ type: 'DRAIN', from: 'kim' });
  session.kill('disk-lives-on');
  const again = session.resume();
  expect(await again.start()).toBeNull();
  expect(await session.settle(again)).toMatchObject({ status: 'completed', exitCode: 0 });
});
