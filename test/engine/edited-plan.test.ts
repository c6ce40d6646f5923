import { expect, test } from 'vitest';
import type { Backend } from '../../src/agents/port.ts';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = (tasks: string): string => `goal: Edit the plan\ntasks:\n${tasks}`;
const taskLine = (id: string, more = ''): string =>
  `  - {id: ${id}, title: ${id.toUpperCase()}, files: [${id}.txt], run: [work ${id}], verify: [check ${id}]${more}}\n`;

/** Known, and never started here. */
const absent: Backend = {
  name: 'absent',
  label: 'Absent',
  start: () => {
    throw new Error('not part of this test');
  },
};

const atGate = async () => {
  const session = createSimulatedSession({
    plan: plan(taskLine('a') + taskLine('b', ', blockedBy: [a]')),
    settings: { gates: ['plan'] },
    backends: [absent],
    agentProblem: (name) => (name === 'absent' ? 'Absent is not installed' : null),
    program: ({ command }) => ({
      runsMs: 2_000,
      effect: () => session.disk.put(`/work/${String(command).split(' ')[1]}.txt`, 'done'),
    }),
  });
  const first = session.begin();
  expect(await first.start()).toBeNull();
  expect(await session.settle(first)).toMatchObject({ exitCode: 3 });
  const answered = async (message: string) => {
    session.publish({ type: 'ANSWER', target: 'ALL', request: 'plan', option: 'replace', message });
    const engine = session.resume();
    expect(await engine.start()).toBeNull();
    return { engine, end: await session.settle(engine) };
  };
  return { session, answered };
};

test('an edited plan is what runs: tasks added, changed and taken out, each with its file', async () => {
  const { session, answered } = await atGate();
  const { engine, end } = await answered(
    plan(taskLine('a') + taskLine('c', ', blockedBy: [a], objective: New')),
  );
  expect(end).toMatchObject({ status: 'completed' });
  const statuses = [...engine.state().tasks.values()].map(({ definition, status }) => [
    definition.id,
    status,
  ]);
  expect(statuses).toEqual([
    ['a', 'done'],
    ['b', 'cancelled'],
    ['c', 'done'],
  ]);
  expect(session.all('task.started').map(({ task }) => task)).toEqual(['a', 'c']);
  expect(session.disk.text(session.paths.iteration(1).task('c'))).toContain('New');
  expect(session.disk.text(session.paths.iteration(1).progress)).toMatch(/- \[C\] b .*removed from the plan/);
});

test.each([
  ['ghost', 'task c: unknown agent "ghost"; known agents: script, absent'],
  ['absent', 'task c: Absent is not installed'],
])('a task that is given to the agent %s leaves the gate open and says why', async (agent, reason) => {
  const { session, answered } = await atGate();
  await answered(plan(taskLine('a') + taskLine('c', `, agent: ${agent}`)));
  expect(session.find('signal.rejected')?.reason).toContain(reason);
  expect(session.find('gate.decided')).toBeUndefined();
});

test('a plan that is wrong leaves the gate open and says where', async () => {
  const { session, answered } = await atGate();
  const { engine } = await answered(plan(taskLine('a', ', blockedBy: [ghost]')));
  expect(session.find('signal.rejected')?.reason).toContain('ghost');
  expect(engine.state().gate).toMatchObject({ gate: 'plan' });
  expect([...engine.state().tasks.keys()]).toEqual(['a', 'b']);
});
