import { expect, test } from 'vitest';
import type { Worker } from '../../src/agents/port.ts';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = 'goal: Sleep\ntasks:\n  - {id: a, title: A, agent: slow, files: [a.txt], run: [work a]}\n';

/** A session whose agent never answers, at the moment at which it has been asked. */
const asked = async (stop: (session: ReturnType<typeof createSimulatedSession>) => Worker['stop']) => {
  let turns = 0;
  const session = createSimulatedSession({
    plan,
    backends: [
      {
        name: 'slow',
        label: 'slow',
        start: () => ({
          turn: () => {
            turns += 1;
            return new Promise(() => {});
          },
          stop: (why) => stop(session)(why),
        }),
      },
    ],
  });
  const engine = session.begin();
  await engine.start();
  while (turns === 0) await session.clock.advanceAsync(100);
  return { session, engine };
};

test('an agent is not called silent for the time in which nobody listened, and is for the time in which it was', async () => {
  const { session, engine } = await asked(() => async () => {});
  await session.clock.advanceAsync(100_000);
  session.clock.stall(3_600_000);
  await session.clock.advanceAsync(120_000);
  expect(session.all('invocation.failed')).toEqual([]);
  expect(session.all('problem.found').map(({ fault }) => fault.what)).toEqual([
    expect.stringContaining('has sent nothing for 60 s'),
    expect.stringContaining('has sent nothing for 120 s'),
    expect.stringContaining('has sent nothing for 180 s'),
  ]);
  await session.clock.advanceAsync(250_000);
  expect(session.find('invocation.failed')).toMatchObject({ kind: 'stall' });
  const quitting = engine.quit('quit');
  await session.clock.advanceAsync(3_000);
  await quitting;
});

test('an agent that sees to its end in time is waited for, though the program was stopped meanwhile', async () => {
  const done: string[] = [];
  const { session, engine } = await asked(({ clock }) => async () => {
    for (const what of ['its processes', 'its files']) {
      await new Promise<void>((resolve) => clock.after(600, resolve));
      done.push(what);
    }
  });
  const quitting = engine.quit('quit').then(() => done.push('left'));
  await session.clock.advanceAsync(100);
  session.clock.stall(60_000);
  await session.clock.advanceAsync(3_000);
  await quitting;
  expect(done).toEqual(['its processes', 'its files', 'left']);
});
