import { expect, test } from 'vitest';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Install it
tasks:
  - {id: install, title: Install, files: [a.txt], run: [uv sync]}
  - {id: after, title: After, files: [b.txt], blockedBy: [install], run: [work]}
`;

test.each([
  ['was not found', 127, 1],
  ['is not executable', 126, 1],
  ['failed', 1, 3],
])('a command that %s (exit %i) is given %i attempts', async (_what, exit, attempts) => {
  const session = createSimulatedSession({ plan, program: () => ({ exit }) });
  const engine = session.begin();
  await engine.start();
  await session.settle(engine);
  expect(session.all('task.failed')).toHaveLength(attempts);
  expect(engine.state().status).toBe('awaiting_feedback');
});

test('a person may open it again once it is installed', async () => {
  const world = { exit: 127 };
  const session = createSimulatedSession({ plan, program: () => ({ exit: world.exit }) });
  const engine = session.begin();
  await engine.start();
  await session.settle(engine);
  session.publish({ type: 'RETRY', task: 'install' });
  world.exit = 1;
  const again = session.resume();
  await again.start();
  await session.settle(again);
  expect(session.all('task.failed')).toHaveLength(4);
});
