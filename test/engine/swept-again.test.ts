import { expect, test } from 'vitest';
import type { Event } from '../../src/pipeline/event.ts';
import { createSimulatedSession } from '../helpers/engine-session.ts';
import { SimulatedCrash } from '../helpers/simulated-disk.ts';

const plan = `goal: End
tasks:
  - {id: a, title: A, files: [a.txt], run: [work a]}
`;

test('a crash between the end of a session and the sweep of its mailbox leaves no signal that waits for ever', async () => {
  for (let at = 1; ; at += 1) {
    const session = createSimulatedSession({ plan, program: () => ({ runsMs: 3_000 }) });
    const engine = session.begin();
    const crash = (event: Event): void => {
      if (event.type !== 'state.entered' || event.state !== 'COMPLETE') return;
      session.watchers.delete(crash);
      session.disk.crashAfter(at);
    };
    session.watchers.add(crash);
    await engine.start();
    await session.clock.advanceAsync(1_000);
    const id = session.publish({ type: 'INFO', target: 'Planner', message: 'for nobody' });
    const ended = await session.settle(engine).catch((error: unknown) => {
      if (!(error instanceof SimulatedCrash)) throw error;
      return null;
    });
    if (ended && !session.disk.crashed()) return;
    session.kill();
    const again = session.resume();
    expect(await again.start()).toBeNull();
    await session.settle(again);
    expect(again.state().signals.get(id)?.stage, `crash at operation ${at}`).toBe('undelivered');
  }
});
