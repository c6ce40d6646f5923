import { expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { createFlowSession } from '../helpers/flow-session.ts';
import { joinTeam } from '../helpers/foreign-worker.ts';

const three = {
  1: 'state: research-needed',
  2: 'state: research-needed\nparent: 1',
  3: 'state: research-needed\nparent: 1',
  4: 'state: research-needed\nparent: 1',
};

/** Our own agents work at `research-2` for ever the first time, and answer everything else. */
const begun = async (executors: number) => {
  let hangs = true;
  const session = createFlowSession({
    issues: three,
    start: { fill: 'team' },
    proofs: 'kept',
    attended: true,
    settings: {
      flow: { ...defaultSettings.flow, join: 'always' },
      concurrency: { ...defaultSettings.concurrency, max_parallel_executors: executors },
    },
    answers: (_ask, brief) => {
      if (brief.task?.id !== 'research-2' || !hangs) return undefined;
      hangs = false;
      return new Promise(() => undefined);
    },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.clock.advanceAsync(2_000);
  return { session, engine };
};

const workerOn = (engine: Engine, task: string) => engine.state().flow?.claims.get(task)?.worker ?? null;

test('a message to a worker reaches it and no other, whichever task it has', async () => {
  const { session, engine } = await begun(1);
  const one = await joinTeam(session, engine, 'analyst');
  const two = await joinTeam(session, engine, 'analyst');
  for (const [worker, task] of [
    [one, 'research-3'],
    [two, 'research-4'],
  ] as const) {
    const claimed = worker.claim(task);
    await session.clock.advanceAsync(2_000);
    expect((await claimed).body).toMatchObject({ claimed: task });
  }
  session.publish({ type: 'STEER', target: 'Executor', worker: two.name, message: 'Look at b.ts.' });
  expect(await one.boundary()).toMatchObject({ kind: 'go', messages: [] });
  expect(await two.boundary()).toMatchObject({ messages: [{ kind: 'STEER', text: 'Look at b.ts.' }] });
  // To the role: the first of its workers that looks.
  session.publish({ type: 'INFO', target: 'Executor', worker: 'analyst', message: 'Port 8080.' });
  expect(await one.boundary()).toMatchObject({ messages: [{ kind: 'INFO', text: 'Port 8080.' }] });
  expect(await two.boundary()).toMatchObject({ messages: [] });
  const over = engine.quit('over');
  await session.clock.advanceAsync(10_000);
  await over;
});

test('a worker that a person replaces leaves, another one takes its task, and the task is done once', async () => {
  const { session, engine } = await begun(3);
  const first = workerOn(engine, 'research-2') ?? '';
  expect(first).toMatch(/^analyst-\d$/);
  // Without the record of a person it decides nothing.
  session.publish({ type: 'CANCEL', worker: first, from: 'a program' });
  await session.clock.advanceAsync(5_000);
  expect(workerOn(engine, 'research-2')).toBe(first);
  session.publish({ type: 'CANCEL', worker: first });
  const end = await session.settle(engine);
  expect(end).toMatchObject({ exitCode: 0 });
  expect(session.find('worker.left')).toMatchObject({
    worker: first,
    reason: expect.stringMatching(/^replaced by /),
  });
  const claims = session.all('task.claimed').filter(({ task }) => task === 'research-2');
  expect(claims).toHaveLength(2);
  expect(claims[0]?.worker).toBe(first);
  expect(claims[1]?.worker).not.toBe(first);
  expect(session.all('task.qualified').filter(({ task }) => task === 'research-2')).toHaveLength(1);
  expect(session.find('task.cancelled')).toBeUndefined();
  // Its place in the roster is taken by a new name.
  const names = session.all('team.formed').flatMap(({ workers }) => workers.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
});

test('a worker of another program that a person replaces gets nothing any more', async () => {
  const { session, engine } = await begun(1);
  const worker = await joinTeam(session, engine, 'analyst');
  const claimed = worker.claim('research-3');
  await session.clock.advanceAsync(2_000);
  await claimed;
  session.publish({ type: 'CANCEL', worker: worker.name, message: 'too slow' });
  await session.clock.advanceAsync(5_000);
  expect(workerOn(engine, 'research-3')).not.toBe(worker.name);
  expect(await worker.claim()).toMatchObject({
    failed: true,
    body: { error: 'you are no longer in the team: too slow' },
  });
  const over = engine.quit('over');
  await session.clock.advanceAsync(10_000);
  await over;
});

test.each([
  ['builder-9', 'names the worker builder-9, but this session has no such worker'],
  ['builder', 'names the worker builder, but this session has no such worker'],
])(
  'a CANCEL of %s is rejected with its reason: it replaces one worker that is there',
  async (worker, why) => {
    const { session, engine } = await begun(1);
    session.publish({ type: 'CANCEL', worker });
    await session.clock.advanceAsync(5_000);
    expect(JSON.stringify(session.all('signal.rejected'))).toContain(why);
    expect(session.find('worker.left')).toBeUndefined();
    const over = engine.quit('over');
    await session.clock.advanceAsync(10_000);
    await over;
  },
);
