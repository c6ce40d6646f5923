import { expect, test } from 'vitest';
import { readJournal } from '../../src/observability/journal-file.ts';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Go elsewhere
tasks:
  - {id: a, title: A, files: [a.txt], run: [work a]}
`;

test('a program whose session goes on on another machine touches nothing any more, not even a signal that nobody can use', async () => {
  const session = createSimulatedSession({ plan, program: () => ({ runsMs: 30_000 }) });
  const first = session.begin();
  await first.start();
  await session.clock.advanceAsync(2_000);
  session.elsewhere();
  const second = session.resume(true);
  expect(await second.start()).toBeNull();
  // It lies there before either of them looks again; the first looks first.
  const id = session.publish({ type: 'ANSWER', request: 'none', option: 'yes' });
  const state = session.publish({ type: 'SET', set: { 'concurrency.max_parallel_executors': 2 } });
  await session.clock.advanceAsync(5_000);
  expect(await first.settled()).toMatchObject({ status: 'blocked' });
  await session.settle(second);
  const { events, problems } = readJournal(session.disk, session.paths.journal);
  expect(problems).toEqual([]);
  expect(events.filter((event) => event.type === 'signal.rejected')).toMatchObject([{ id }]);
  expect(events.filter((event) => event.type === 'signal.handled')).toMatchObject([{ id: state }]);
  expect(session.disk.readdir(`${session.paths.signals}/claimed`)).toEqual([]);
});

test('a claim that the journal knows nothing of comes to an end that the journal knows', async () => {
  const session = createSimulatedSession({ plan, program: () => ({ runsMs: 30_000 }) });
  const first = session.begin();
  await first.start();
  await session.clock.advanceAsync(2_000);
  session.elsewhere();
  const second = session.resume(true);
  await second.start();
  const id = session.publish({ type: 'ANSWER', request: 'none', option: 'yes' });
  await session.clock.advanceAsync(5_000);
  expect(second.state().signals.get(id)?.stage).toBe('rejected');
});
