import { expect, test } from 'vitest';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Mend it
tasks:
  - {id: broken, title: Broken, files: [a.txt], run: [work broken]}
`;

/** A session that has ended with a failed task: a resume of it ends at once. */
const ended = async () => {
  const session = createSimulatedSession({ plan, program: () => ({ exit: 1 }) });
  const engine = session.begin();
  await engine.start();
  await session.settle(engine);
  const write = (name: string, text: string): void =>
    session.disk.put(`${session.paths.signals}/inputs/${name}`, text);
  const resume = async () => {
    const again = session.resume();
    await Promise.all([again.start(), session.clock.advanceAsync(3_000)]);
    await session.settle(again);
    return again;
  };
  return { session, write, resume };
};

test.each([
  ['a final newline', 'type: RETRY\ntask: broken\n'],
  ['no final newline', 'type: RETRY\ntask: broken'],
])('a signal with %s and no end mark is read by a resume that ends at once', async (_ending, text) => {
  const { session, write, resume } = await ended();
  write('signal.260215-101700.yaml', text);
  await resume();
  expect(session.all('task.reset')).toMatchObject([{ task: 'broken' }]);
  expect(session.disk.readdir(`${session.paths.signals}/inputs`)).toEqual([]);
});

test('what cannot be read and has lain there for 10 s is rejected by a resume that ends at once', async () => {
  const { session, write, resume } = await ended();
  write('signal.260215-101700.yaml', 'type: "RET');
  await session.clock.advanceAsync(11_000);
  await resume();
  expect(session.disk.readdir(`${session.paths.signals}/inputs`)).toEqual([]);
  expect(session.disk.readdir(`${session.paths.signals}/rejected`)).toContain('signal.260215-101700.yaml');
});
