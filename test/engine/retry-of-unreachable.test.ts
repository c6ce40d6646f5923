import { expect, test } from 'vitest';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Mend it
tasks:
  - {id: broken, title: Broken, files: [a.txt], run: [work broken]}
  - {id: after, title: After, files: [b.txt], blockedBy: [broken], run: [work after]}
`;

/** `broken` has failed for good and `after` is unreachable. */
const failed = async () => {
  const world = { mended: false };
  const session = createSimulatedSession({
    plan,
    program: ({ command }) =>
      world.mended
        ? {
            effect: () =>
              session.disk.put(String(command).endsWith('after') ? '/work/b.txt' : '/work/a.txt', 'x'),
          }
        : { exit: 1 },
  });
  const engine = session.begin();
  await engine.start();
  await session.settle(engine);
  expect(engine.state().status).toBe('awaiting_feedback');
  const go = async () => {
    const again = session.resume();
    expect(await again.start()).toBeNull();
    await session.settle(again);
    return again;
  };
  return { session, go, world };
};

test('a retry of a task behind one that failed says that it stays unreachable and which one to retry', async () => {
  const { session, go } = await failed();
  const id = session.publish({ type: 'RETRY', task: 'after' });
  const reviews = session.all('invocation.started').length;
  const engine = await go();
  expect(engine.state().signals.get(id)?.action).toBe(
    'nothing was reopened: after is unreachable because broken failed; retry broken',
  );
  expect(session.all('task.reset')).toEqual([]);
  // Nothing is worked on, reviewed or asked about for that.
  expect(session.all('invocation.started')).toHaveLength(reviews);
  expect(engine.state().status).toBe('awaiting_feedback');
});

test('its message is kept for its next attempt, whichever of the two retries is read first', async () => {
  const { session, go, world } = await failed();
  const id = session.publish({ type: 'RETRY', task: 'after', message: 'use port 80' });
  await session.clock.advanceAsync(1_000);
  session.publish({ type: 'RETRY', task: 'broken' });
  world.mended = true;
  const engine = await go();
  expect(engine.state().signals.get(id)?.action).toBe(
    'after will get the message at its next attempt, but it is unreachable because broken failed; retry broken',
  );
  expect([...engine.state().tasks.values()].map(({ status }) => status)).toEqual(['done', 'done']);
  const told = session.find(
    'invocation.started',
    ({ task, role }) => task === 'after' && role === 'Executor',
  );
  expect(told?.messages.map(({ text }) => text)).toContain('use port 80');
});

test('a cancelled task that is opened again behind one that failed is open, and still cannot start', async () => {
  const { session, go } = await failed();
  session.publish({ type: 'CANCEL', task: 'after' });
  await session.clock.advanceAsync(1_000);
  const id = session.publish({ type: 'RETRY', task: 'after' });
  const engine = await go();
  expect(engine.state().signals.get(id)?.action).toBe(
    'after is open again, but unreachable because broken failed; retry broken',
  );
});
