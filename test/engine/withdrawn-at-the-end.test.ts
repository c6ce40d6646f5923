import { expect, test } from 'vitest';
import { createSimulatedSession } from '../helpers/engine-session.ts';

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
