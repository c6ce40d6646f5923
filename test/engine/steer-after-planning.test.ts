import { expect, test } from 'vitest';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Greet
tasks:
  - {id: one, title: One, files: [one.txt], run: [say one], verify: [look one]}
`;

type Session = ReturnType<typeof createSimulatedSession>;

const open = (attended: boolean): Session => {
  const session = createSimulatedSession({
    plan,
    proofs: 'kept',
    attended,
    settings: attended ? { gates: ['plan'] } : {},
    program: () => ({ runsMs: 100, effect: () => session.disk.put('/work/one.txt', 'one') }),
  });
  return session;
};

/** Runs a session and sends this when the breakdown is done, before it leaves the planning. */
const steered = async (target: 'Planner' | 'ALL') => {
  const session = open(false);
  let id = '';
  session.watchers.add((event) => {
    if (event.type !== 'plan-item.marked' || event.item !== 'plan-breakdown' || event.mark !== 'done') return;
    if (id === '') id = session.publish({ type: 'STEER', target, from: 'kim@host', message: 'Use bar' });
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  return { session, handled: session.find('signal.handled', (event) => event.id === id) };
};

const breakdowns = ({ all }: Session): number =>
  all('invocation.started').filter(({ mode }) => mode === 'TASK_BREAKDOWN').length;

test('a STEER for the Planner at the last boundary of the planning is in the plan before work begins', async () => {
  const { session, handled } = await steered('Planner');
  expect(session.disk.text(session.paths.iteration(1).plan)).toContain('STEER from kim@host: Use bar');
  expect(handled).toMatchObject({ handled_by: 'Ralph-v2-Planner' });
  expect(breakdowns(session)).toBe(2);
  expect(session.find('task.started')?.seq).toBeGreaterThan(handled?.seq ?? Number.POSITIVE_INFINITY);
});

test('one to all agents reaches those that carry the plan out', async () => {
  const { session, handled } = await steered('ALL');
  expect(breakdowns(session)).toBe(1);
  expect(session.spawn.started.some(({ env = {} }) => env['RALPH_STEER']?.includes('Use bar'))).toBe(true);
  expect(handled).toBeDefined();
});

test('at the plan gate it makes the plan again, and the gate asks about the new one', async () => {
  const session = open(true);
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.clock.advanceAsync(5_000);
  expect(engine.state().gate).toMatchObject({ gate: 'plan' });
  session.publish({ type: 'STEER', target: 'Planner', from: 'kim@host', message: 'Use bar' });
  await session.clock.advanceAsync(5_000);
  expect(session.disk.text(session.paths.iteration(1).plan)).toContain('STEER from kim@host: Use bar');
  expect(session.all('gate.decided')).toMatchObject([{ decision: 'skip', by: 'kim@host' }]);
  expect(session.all('gate.opened')).toHaveLength(2);
  expect(engine.state()).toMatchObject({ state: 'PLANNING', planApproved: false });
});
