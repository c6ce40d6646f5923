import { expect, test } from 'vitest';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Leave something behind
tasks:
  - {id: first, title: First, files: [first.txt], run: [make first]}
  - {id: second, title: Second, files: [second.txt], run: [make second], blockedBy: [first]}
`;

test('an ABORT that the program did not live to carry out stops at the next start what commands that ended long ago have left behind', async () => {
  const session = createSimulatedSession({
    plan,
    program: ({ command }) =>
      String(command).includes('first')
        ? { survivors: 1, effect: () => session.disk.put('/work/first.txt', 'made') }
        : { runsMs: 'forever' },
  });
  void session.begin().start();
  const isSecondAtWork = () => session.find('command.started', ({ task }) => task === 'second');
  while (!isSecondAtWork()) await session.clock.advanceAsync(100);
  expect(session.spawn.running()).toHaveLength(2);
  let crashes = 0;
  let left: readonly number[] | null = null;
  session.watchers.add((event) => {
    // The line is written and flushed; what follows from it is not.
    if (event.type === 'abort.requested' && crashes++ === 0) session.disk.crashAfter(3);
    if (event.type === 'session.stopped') left = session.spawn.running();
  });
  session.publish({ type: 'ABORT' });
  while (!session.disk.crashed()) await session.clock.advanceAsync(100);
  session.disk.restart();
  session.kill('disk-lives-on');
  const engine = session.resume();
  expect(await engine.start()).toBeNull();
  expect(await session.settle(engine)).toMatchObject({ status: 'aborted', exitCode: 130 });
  // Not only a moment later: who reads that it was aborted may rely on it.
  expect(left).toEqual([]);
});
