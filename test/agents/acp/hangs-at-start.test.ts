import { describe, expect, test } from 'vitest';
import { createLiveSession } from '../../helpers/live-session.ts';

describe.each(['initialize', 'session/new'] as const)('an agent that never answers %s', (hangsAt) => {
  const begin = async () => {
    const live = createLiveSession(async () => 'end_turn', { hangsAt });
    const engine = live.session.begin();
    expect(await engine.start()).toBeNull();
    await live.until(() => live.running() === 1);
    return { ...live, engine };
  };

  test('is given up after a minute, and is gone before it is started again', async () => {
    const { session, running, until, engine, prompts } = await begin();
    const failures = () => session.all('invocation.failed');
    await session.clock.advanceAsync(58_000);
    expect([running(), failures().length]).toEqual([1, 0]);
    await until(() => failures().length > 0);
    expect(failures()[0]?.fault).toMatchObject({
      code: 'agent-hangs',
      what: 'In-process has not answered for 60 s',
    });
    await until(() => session.all('agent.launched').length === 2);
    expect(running()).toBeLessThanOrEqual(1);
    session.publish({ type: 'ABORT' });
    expect(await session.settle(engine)).toMatchObject({ status: 'aborted' });
    expect([running(), prompts().length]).toEqual([0, 0]);
  });

  test('is gone after an ABORT, long before the minute is over', async () => {
    const { session, running, engine } = await begin();
    session.publish({ type: 'ABORT' });
    expect(await session.settle(engine, () => {}, 10_000)).toMatchObject({ status: 'aborted' });
    expect(running()).toBe(0);
  });
});
