import { expect, test } from 'vitest';
import { statusOf } from '../../src/cli/report/status-report.ts';
import { formatStatus } from '../../src/cli/report/status-text.ts';
import { flowFields } from '../../src/mcp/flow-fields.ts';
import { taskBriefs } from '../../src/pipeline/brief.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { createFlowSession } from '../helpers/flow-session.ts';

/** A team in the middle of its first research. */
const atWork = async (): Promise<{ readonly state: SessionState; readonly now: number }> => {
  const session = createFlowSession({
    issues: { 1: 'state: research-needed' },
    start: { fill: 'team' },
    answers: ({ kind }) => (kind === 'flow-research' ? new Promise(() => undefined) : undefined),
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.clock.advanceAsync(65_000);
  return { state: engine.state(), now: session.clock.now() };
};

test('status says of each worker what it works on, or why it is idle', async () => {
  const { state, now } = await atWork();
  const paths = sessionPaths(state.workspace, state.session);
  const layout = { layout: '2.2', ours: true, writable: true } as const;
  const host = { pid: 7, alive: true };
  const report = statusOf({ state, paths, host, problems: [], layout }, { signals: 0, feedback: 'none' });
  expect(report.team).toMatchObject([
    { worker: 'analyst-1', role: 'analyst', state: 'working', task: 'research-1', why: '' },
    { worker: 'builder-1', state: 'idle', task: null, why: 'waits for research-1' },
    { worker: 'validator-1', state: 'idle', why: 'waits for plan-1' },
    { worker: 'integrator-1', state: 'idle', why: 'waits for implement-1' },
  ]);
  const text = formatStatus(report, state, { ms: now, offset: 0 });
  expect(text).toMatch(/team {6}analyst-1 {5}working on "Research GH-1" 1:0\d/);
  expect(report.messages).toEqual({ sent: 0, refused: 0, assignments: 1 });
  expect(text).toMatch(/integrator-1 .*\n {12}0 messages in 1 assignment/);
  expect(text).toMatch(/builder-1 {5}idle 1:0\d · waits for "Research GH-1"/);
});

test('the tools for tasks name role, phase, owner and edges in both directions', async () => {
  const { state } = await atWork();
  const tasks = taskBriefs(state);
  const fieldsOf = (id: string) => {
    const task = tasks.find(({ definition }) => definition.id === id);
    return task === undefined ? null : flowFields(task, tasks);
  };
  expect(fieldsOf('research-1')).toMatchObject({
    role: 'analyst',
    phase: 'research',
    owner: 'analyst-1',
    blockedBy: [],
    blocks: ['plan-1'],
  });
  expect(fieldsOf('plan-1')).toMatchObject({ owner: null, blockedBy: ['research-1'], blocks: ['review-1'] });
});
