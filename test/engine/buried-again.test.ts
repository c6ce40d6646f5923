import { expect, test } from 'vitest';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Once
tasks:
  - {id: a, title: A, files: [a.txt], run: [work a]}
`;

const createSession = () => createSimulatedSession({ plan, program: () => ({ runsMs: 60_000 }) });

test('a signal whose claim a power loss brings back comes to its end once, and keeps what was done about it', async () => {
  const session = createSession();
  const engine = session.begin();
  await engine.start();
  await session.clock.advanceAsync(2_000);
  const done = session.publish({ type: 'SET', set: { 'concurrency.max_parallel_executors': 2 } });
  const refused = session.publish({ type: 'RETRY', task: 'nobody-knows', message: 'again' });
  await session.clock.advanceAsync(2_000);
  expect(session.all('signal.handled')).toMatchObject([{ id: done }]);
  expect(session.all('signal.rejected')).toMatchObject([{ id: refused }]);
  // What was moved out of claimed/ is there again after the power is back.
  session.kill(({ kind, path }) => kind === 'unlink' && path.includes('/claimed/'));
  expect(session.mailbox().list()).toHaveLength(4);
  const again = session.resume();
  await again.start();
  await session.settle(again);
  expect(
    session
      .mailbox()
      .list()
      .map(({ id, stage }) => ({ id, stage })),
  ).toEqual([
    { id: done, stage: 'processed' },
    { id: refused, stage: 'rejected' },
  ]);
  expect(session.all('signal.handled').filter(({ id }) => id === done)).toHaveLength(1);
  expect(session.all('signal.rejected').filter(({ id }) => id === refused)).toHaveLength(1);
  expect(again.state().signals.get(done)?.action).toBe('set concurrency.max_parallel_executors = 2');
});

test('what reached nobody says so also in the archive that is written when its file comes back', async () => {
  const session = createSession();
  const engine = session.begin();
  await engine.start();
  await session.clock.advanceAsync(1_000);
  const id = session.publish({ type: 'INFO', target: 'Planner', message: 'for nobody' });
  const file =
    session
      .mailbox()
      .list()
      .find((entry) => entry.id === id)?.file ?? '';
  const { signals } = session.paths;
  const written = session.disk.text(`${signals}/inputs/${file}`);
  await session.settle(engine);
  const archive = {
    stage: 'processed',
    handling: { outcome: 'undelivered', action_taken: 'the session ended' },
  };
  expect(session.mailbox().find({ id, file })).toMatchObject(archive);
  expect(session.disk.text(`${signals}/processed/${file}`)).toContain(
    'action_taken: "undelivered: the session ended"',
  );
  session.kill();
  session.disk.unlink(`${signals}/processed/${file}`);
  session.disk.put(`${signals}/inputs/${file}`, written);
  const again = session.resume();
  await again.start();
  await session.settle(again);
  expect(session.mailbox().find({ id, file })).toMatchObject(archive);
  expect(session.all('signal.undelivered').filter((event) => event.id === id)).toHaveLength(1);
});

test('a message to ALL whose mark of being archived a power loss takes comes to its end once', async () => {
  const session = createSession();
  await session.begin().start();
  await session.clock.advanceAsync(2_000);
  const id = session.publish({ type: 'INFO', target: 'ALL', message: 'for everybody' });
  await session.clock.advanceAsync(120_000);
  const ends = () => session.all('signal.handled').filter((event) => event.id === id);
  expect(ends()).toHaveLength(1);
  session.kill();
  const mark = `${session.paths.signals}/acks/${id.slice(0, 16)}/archived`;
  session.disk.unlink(mark);
  const again = session.resume();
  await again.start();
  await session.clock.advanceAsync(5_000);
  expect(ends()).toHaveLength(1);
  expect(session.mailbox().list()).toMatchObject([{ id, stage: 'processed' }]);
  expect(session.disk.lstat(mark)?.kind).toBe('file');
});
