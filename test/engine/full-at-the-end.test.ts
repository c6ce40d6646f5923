import { expect, test } from 'vitest';
import type { Event } from '../../src/pipeline/event.ts';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Fill up
tasks:
  - {id: a, title: A, files: [a.txt], run: [work a]}
`;

test('an ABORT whose end finds the disk full stays an ABORT: resumed with room again, nothing starts anew', async () => {
  const session = createSimulatedSession({ plan, program: () => ({ runsMs: 600_000 }) });
  const engine = session.begin();
  const fill = (event: Event): void => {
    if (event.type !== 'session.stopped') return;
    session.watchers.delete(fill);
    session.disk.setSpace(0);
  };
  session.watchers.add(fill);
  await engine.start();
  await session.clock.advanceAsync(2_000);
  session.publish({ type: 'ABORT' });
  await session.settle(engine);
  expect(engine.state()).toMatchObject({ state: 'COMPLETE', status: 'aborted' });
  session.disk.setSpace(null);
  const again = session.resume();
  expect(await again.start()).toBeNull();
  expect(await session.settle(again)).toMatchObject({ status: 'aborted' });
});
