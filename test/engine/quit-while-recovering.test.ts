import { expect, test } from 'vitest';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Recover
tasks:
  - {id: only, title: Only, files: [only.txt], run: [make only]}
`;

/** A session whose program was killed at work; the command it left behind goes only after the grace. */
const crashed = async () => {
  let watched = 0;
  const session = createSimulatedSession({
    plan,
    program: () => ({ runsMs: 'forever', ignoresTerm: true }),
    watchMailbox: () => {
      watched += 1;
      return () => {
        watched -= 1;
      };
    },
  });
  void session.begin().start();
  while (!session.find('command.started')) await session.clock.advanceAsync(100);
  session.kill();
  watched = 0;
  session.events.length = 0;
  expect(session.spawn.running()).toHaveLength(1);
  return { session, watched: () => watched };
};

test('who leaves while a crashed session is being recovered leaves nothing behind: no process, no watcher, no attempt that was begun for nothing', async () => {
  const { session, watched } = await crashed();
  const engine = session.resume();
  const starting = engine.start();
  const quitting = engine.quit('quit');
  const end = await session.settle(engine);
  expect(end).toMatchObject({ status: 'paused', reason: 'quit', exitCode: 4, unverified: [] });
  await session.clock.advanceAsync(60_000);
  expect(await starting).toBeNull();
  await quitting;
  expect(watched()).toBe(0);
  expect(session.spawn.running()).toEqual([]);
  expect(session.spawn.started).toHaveLength(1);
  expect(session.events.map(({ type }) => type).filter((type) => type !== 'snapshot.written')).toEqual([
    'session.started',
    'processes.stopped',
    'invocation.interrupted',
    'task.interrupted',
    'session.stopped',
  ]);
  expect(session.find('processes.stopped')).toMatchObject({ reason: 'recovery', unverified: [] });
  expect(session.disk.text(session.paths.metadata)).toMatch(/status: paused[\s\S]*stop_reason: quit/);
});
