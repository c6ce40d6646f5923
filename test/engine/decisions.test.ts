import { expect, test } from 'vitest';
import { defaultSettings } from '../../src/session/settings.ts';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: One word
tasks:
  - {id: one, title: One, files: [one.txt], run: [say one], verify: [look one]}
`;

const open = (knowledge: Partial<typeof defaultSettings.knowledge>) => {
  const session = createSimulatedSession({
    plan,
    settings: { knowledge: { ...defaultSettings.knowledge, ...knowledge } },
    program: () => ({ runsMs: 2_000, effect: () => session.disk.put('/work/one.txt', 'one') }),
  });
  return session;
};

const begin = async (session: ReturnType<typeof open>) => {
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  return engine;
};

test('an ABORT in the mailbox of a completed session is set aside, and the session stays completed', async () => {
  const session = open({ approval_timeout: 0 });
  expect(await session.settle(await begin(session))).toMatchObject({ status: 'completed' });
  const id = session.publish({ type: 'ABORT', message: 'late' });
  const again = session.resume();
  expect(await again.start()).toBeNull();
  expect(await session.settle(again)).toMatchObject({ status: 'completed', exitCode: 0 });
  expect(session.find('signal.handled', (event) => event.id === id)?.action_taken).toBe(
    'nothing to abort: the session has ended',
  );
});

test('without a deadline the lessons wait for ever: without a screen the session stops for them, and an APPROVE continues it', async () => {
  const session = open({ gate: 'always', approval_timeout: null });
  expect(await session.settle(await begin(session))).toMatchObject({ status: 'in_progress', exitCode: 3 });
  expect(session.all('gate.decided')).toEqual([]);
  session.publish({ type: 'APPROVE' });
  const again = session.resume();
  expect(await again.start()).toBeNull();
  expect(await session.settle(again)).toMatchObject({ status: 'completed' });
  expect(session.all('knowledge.promoted')).toHaveLength(1);
});

test('an APPROVE that waits opens the gate of a session that would have asked nobody', async () => {
  const session = open({ gate: 'auto', approval_timeout: 20_000 });
  const engine = await begin(session);
  const id = session.publish({ type: 'APPROVE' });
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(session.find('signal.handled', (event) => event.id === id)?.action_taken).toMatch(/^approved: /);
  expect(session.all('knowledge.promoted')[0]?.files.length).toBeGreaterThan(0);
});

test('an APPROVE of lessons that were never asked about says so', async () => {
  const session = open({ gate: 'never', approval_timeout: 0 });
  const engine = await begin(session);
  const id = session.publish({ type: 'APPROVE' });
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(session.find('signal.handled', (event) => event.id === id)?.action_taken).toBe(
    'not asked: no lessons waited for a decision',
  );
});
