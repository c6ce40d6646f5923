import { expect, test } from 'vitest';
import { createSimulatedSession } from '../helpers/engine-session.ts';
import { createSimulatedBackend } from '../helpers/simulated-backend.ts';

const plan = `goal: Ask
tasks:
  - {id: a, title: A, files: [a.txt], run: [work a]}
`;

test('a session aborted while it asked a person stays aborted when it is opened again: nobody is asked any more', async () => {
  const session = createSimulatedSession({
    plan,
    livingBackends: (clock, otherwise) => [
      createSimulatedBackend({
        clock,
        seed: 1,
        otherwise,
        odds: { fails: 0, isBlocked: 0, crashes: 0, endsWithoutResult: 1 },
      }),
    ],
    settings: { roles: { executor: 'simulated' } },
  });
  const engine = session.begin();
  await engine.start();
  expect((await session.settle(engine)).reason).toMatch(/^gate: .* What now\?$/);
  session.publish({ type: 'ABORT' });
  const second = session.resume();
  await second.start();
  expect(await session.settle(second)).toMatchObject({ status: 'aborted' });
  const third = session.resume();
  expect(await third.start()).toBeNull();
  expect(await session.settle(third)).toMatchObject({ status: 'aborted' });
  expect(session.all('question.asked')).toHaveLength(1);
});
