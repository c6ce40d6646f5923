import { expect, test } from 'vitest';
import { createSimulatedSession } from '../helpers/engine-session.ts';
import { SimulatedCrash } from '../helpers/simulated-disk.ts';

test('a signal that is taken back at the very end of a session is withdrawn in the journal too, not pending for ever', async () => {
  const session = createSimulatedSession({
    plan: 'goal: End\ntasks:\n  - {id: a, title: A, files: [a.txt], run: [make a]}\n',
    program: () => ({ runsMs: 100, effect: () => session.disk.put('/work/a.txt', 'made') }),
  });
  let id = '';
  session.watchers.add((event) => {
    if (event.type !== 'state.entered') return;
    if (event.state === 'SESSION_REVIEW')
      id = session.publish({ type: 'INFO', target: 'Questioner', message: 'Too late' });
    if (event.state === 'COMPLETE') session.mailbox().withdraw(id, 'kim');
  });
  const engine = session.begin();
  await engine.start();
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(session.find('signal.pending', ({ letter }) => letter.id === id)).toBeDefined();
  expect(engine.state().signals.get(id)?.stage).toBe('withdrawn');
});

test('a message for the next iteration that is taken back after the session stopped is withdrawn in the journal at the next start', async () => {
  const session = createSimulatedSession({
    plan: 'goal: End\ntasks:\n  - {id: a, title: A, files: [a.txt], run: [make a]}\n',
    program: () => ({ runsMs: 1_000, effect: () => session.disk.put('/work/a.txt', 'made') }),
  });
  const engine = session.begin();
  await engine.start();
  const id = session.publish({ type: 'INFO', target: 'ALL', message: 'For later', iteration: 2 });
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(engine.state()).toMatchObject({ running: false });
  expect(session.mailbox().withdraw(id, 'kim')).toMatchObject({ kind: 'withdrawn' });
  expect(engine.state().signals.get(id)?.stage).toBe('pending');
  const again = session.resume();
  expect(await again.start()).toBeNull();
  await session.settle(again);
  expect(again.state().signals.get(id)).toMatchObject({ stage: 'withdrawn', handledBy: 'kim' });
});

test('a message whose file a power loss brought back after its delivery can be taken back, and the journal says so', async () => {
  const session = createSimulatedSession({
    plan: 'goal: End\ntasks:\n  - {id: a, title: A, files: [a.txt], run: [make a]}\n',
    program: () => ({ runsMs: 60_000 }),
  });
  const engine = session.begin();
  await engine.start();
  const id = session.publish({ type: 'STEER', target: 'Orchestrator', message: 'Also greet' });
  session.watchers.add((event) => {
    if (event.type === 'signal.delivered' && event.id === id) session.disk.crashAfter(2);
  });
  await expect(session.settle(engine)).rejects.toThrow(SimulatedCrash);
  session.kill();
  const { signals } = session.paths;
  const claimed = session.disk.tree(`${signals}/claimed`).find((path) => path.endsWith('.yaml')) ?? '';
  const { file } = session.find('signal.claimed', (event) => event.id === id) ?? { file: '' };
  session.disk.put(`${signals}/inputs/${file}`, session.disk.text(claimed));
  session.disk.drop(claimed);
  session.publish({ type: 'PAUSE' });
  const again = session.resume();
  expect(await again.start()).toBeNull();
  await session.clock.advanceAsync(5_000);
  expect(again.state().signals.get(id)?.stage).toBe('delivered');
  expect(session.mailbox().withdraw(id, 'kim')).toMatchObject({ kind: 'withdrawn' });
  await session.clock.advanceAsync(5_000);
  expect(again.state().signals.get(id)?.stage).toBe('withdrawn');
});
