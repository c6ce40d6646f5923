import { expect, test } from 'vitest';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Build it
tasks:
  - {id: one, title: One, files: [a.txt], run: [work one]}
  - {id: two, title: Two, files: [b.txt], blockedBy: [one], run: [work two]}
`;

test('a CANCEL file for a task that is done is archived with the reason and changes nothing', async () => {
  const session = createSimulatedSession({
    plan,
    program: ({ command }) => ({
      runsMs: 5_000,
      effect: () => session.disk.put(String(command).endsWith('one') ? '/work/a.txt' : '/work/b.txt', 'x'),
    }),
  });
  const engine = session.begin();
  await engine.start();
  let late = '';
  await session.settle(engine, () => {
    if (late === '' && engine.state().tasks.get('one')?.status === 'done')
      late = session.publish({ type: 'CANCEL', task: 'one' });
  });
  expect(engine.state().signals.get(late)).toMatchObject({
    stage: 'handled',
    action: 'one is done: there is nothing to cancel',
  });
  expect(session.all('task.cancelled')).toEqual([]);
  expect(engine.state().status).toBe('completed');
});
