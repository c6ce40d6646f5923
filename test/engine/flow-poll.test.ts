import { expect, test } from 'vitest';
import { defaultSettings } from '../../src/session/settings.ts';
import { createFlowSession } from '../helpers/flow-session.ts';

test('a hundred polls in which nothing changed leave no line, and a move of a person is seen by the next one', async () => {
  let lists = 0;
  const session = createFlowSession({
    issues: { 1: 'state: research-needed' },
    settings: { flow: { ...defaultSettings.flow, poll: 1_000 } },
    answers: ({ kind }) => (kind === 'flow-research' ? new Promise(() => {}) : undefined),
    tracker: (tracker) => ({
      ...tracker,
      list: () => {
        lists += 1;
        return tracker.list();
      },
    }),
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  // The session's own lock is seen by the first poll.
  await session.clock.advanceAsync(5_000);
  const before = [
    session.all('issues.read').length,
    session.all('timer.fired').length,
    session.all('flow.step-started').length,
  ];
  const listed = lists;
  await session.clock.advanceAsync(100_000);
  expect(lists - listed).toBeGreaterThan(95);
  const after = [
    session.all('issues.read').length,
    session.all('timer.fired').length,
    session.all('flow.step-started').length,
  ];
  expect(after).toEqual(before);
  await session.person.update('1', { state: 'Canceled', lock: null }, null);
  await session.clock.advanceAsync(2_000);
  expect(session.all('task.cancelled').map(({ reason }) => reason)).toContain('1 is Canceled');
});
