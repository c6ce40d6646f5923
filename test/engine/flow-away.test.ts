import { expect, test } from 'vitest';
import { refused, type Tracker } from '../../src/issues/trackers/tracker.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { createFlowSession } from '../helpers/flow-session.ts';

const down = refused('tracker-failed', 'GitHub answered 502', 'try again later');

/** A tracker that refuses this many changes, one after another, after `after` good ones. */
const away = (after: number, times: number) => {
  let changes = 0;
  return (tracker: Tracker): Tracker => ({
    ...tracker,
    update: async (...change) => {
      changes += 1;
      return changes > after && changes <= after + times ? down : tracker.update(...change);
    },
  });
};

const played = async (times: number, backoff: readonly number[]) => {
  const session = createFlowSession({
    issues: { 1: 'state: in-progress' },
    start: { phases: 'few' },
    settings: { retries: { ...defaultSettings.retries, backoff: [...backoff] } },
    tracker: away(1, times),
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  return { session, end: await session.settle(engine) };
};

test('a tracker that is away for a while is waited for, as an agent is, and nothing is done twice', async () => {
  const { session, end } = await played(2, [0, 30_000, 60_000]);
  expect(end).toMatchObject({ exitCode: 0 });
  expect((await session.issue('1')).state).toBe('In Review');
  expect(session.all('flow.step-refused')).toMatchObject([{ away: true }, { away: true }]);
  expect(session.asked.map(({ task }) => task)).toEqual(['implement-1']);
});

test('when the tries are used up the session stops with the reason, and its next start goes on', async () => {
  const { session, end } = await played(2, [0]);
  expect(end).toMatchObject({ status: 'blocked' });
  expect(end.reason).toContain('GitHub answered 502');
  const again = session.resume();
  expect(await again.start()).toBeNull();
  expect(await session.settle(again)).toMatchObject({ exitCode: 0 });
  expect(session.asked.map(({ task }) => task)).toEqual(['implement-1']);
});
