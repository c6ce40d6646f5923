import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { teammateLine } from '../../src/cli/integrations/hook/team-events.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { messageKinds } from '../../src/issues/team/message-policy.ts';
import { pendingTasksLine } from '../../src/issues/team/stop-gate.ts';
import { workerTools } from '../../src/mcp/workers/worker-tools.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { createFlowSession } from '../helpers/flow-session.ts';
import { joinTeam } from '../helpers/foreign-worker.ts';

const started = async (engine: Engine): Promise<Engine> => {
  expect(await engine.start()).toBeNull();
  return engine;
};

const leave = async (session: ReturnType<typeof createFlowSession>, engine: Engine): Promise<void> => {
  const left = engine.quit('over');
  await session.clock.advanceAsync(10_000);
  await left;
};

const group = {
  1: 'state: research-needed',
  2: 'state: research-needed\nparent: 1',
  3: 'state: research-needed\nparent: 1',
};

const found = 'The cause is a missing lock in b.ts.';

/** A whole run of a team, whose research finds something. */
const whole = async () => {
  const session = createFlowSession({
    issues: group,
    start: { fill: 'team' },
    answers: ({ kind }) =>
      kind === 'flow-research'
        ? { status: 'completed', result: { files: ['src/a.ts'] }, document: `# What is\n\n${found}\n` }
        : undefined,
  });
  await session.settle(await started(session.begin()));
  return session;
};

/** Two workers of another program in a team whose own agent is busy for ever. */
const joined = async () => {
  const session = createFlowSession({
    issues: group,
    start: { fill: 'team' },
    settings: {
      flow: { ...defaultSettings.flow, join: 'always' },
      concurrency: { ...defaultSettings.concurrency, max_parallel_executors: 1 },
    },
    answers: () => new Promise(() => undefined),
  });
  const engine = await started(session.begin());
  await session.clock.advanceAsync(2_000);
  const one = await joinTeam(session, engine, 'analyst');
  const two = await joinTeam(session, engine, 'analyst');
  const claimed = two.claim('research-3');
  await session.clock.advanceAsync(2_000);
  await claimed;
  return { session, engine, one, two };
};

/** The concern violations of seed 003, section 2.2, each with what stands in its way here. */
describe('concern violation', () => {
  test('1, orchestration as communication: no message follows an assignment', async () => {
    const { session, engine, one, two } = await joined();
    expect(session.events.filter(({ type }) => type === 'message.arrived')).toEqual([]);
    // Nor can a worker send one about it.
    expect(await one.message('wake', two.name)).toMatchObject({ failed: true });
    await expect(one.message('assignment', two.name)).rejects.toThrow();
    expect(engine.state().flow?.messages.sent).toBe(0);
    await leave(session, engine);
  });

  test('2, execution as orchestration: no prompt tells a worker to look for more work', async () => {
    const session = await whole();
    expect(session.asked.length).toBeGreaterThan(5);
    const ours = globSync('src/skills/{workers,shipped}/**/*.md').map((file) => readFileSync(file, 'utf8'));
    expect(ours.length).toBeGreaterThan(10);
    for (const text of [...session.asked.map(({ prompt }) => prompt), ...ours])
      expect(text).not.toMatch(/task_?list|task_?claim|more work|next task|another task/i);
  });

  test('3, communication as memory: what research found stands in a document and a comment, in no task', async () => {
    const session = await whole();
    const defined = session.all('tasks.defined').flatMap(({ tasks }) => tasks);
    expect(defined.some(({ phase }) => phase === 'plan')).toBe(true);
    expect(JSON.stringify(defined)).not.toContain(found);
    const { comments } = await session.issue('2');
    expect(comments.map(({ body }) => body).join('\n')).toMatch(/^## Research Document/m);
    const plan = session.asked.find(({ kind }) => kind === 'flow-plan');
    expect(plan?.prompt).toContain(found);
  });

  test('4, execution boundary: a task of a later phase cannot be claimed', async () => {
    const { session, engine } = await joined();
    const builder = await joinTeam(session, engine, 'builder');
    const plan = [...engine.state().tasks.keys()].find((id) => id.startsWith('plan-'));
    expect((await builder.claim(plan)).body).toMatchObject({ refused: 'blocked_by' });
    expect(engine.state().flow?.claims.has(plan ?? '')).toBe(false);
    await leave(session, engine);
  });

  test('5, lifecycle as orchestration: a hook says one line that is a fact', () => {
    const call = { workspace: '/work', session: undefined, role: 'Executor', team: null } as const;
    const event = { session_id: 'a', cwd: '/work', teammate_name: 'builder', task_subject: 'Plan' };
    for (const line of [
      pendingTasksLine,
      teammateLine({ ...call, name: 'TaskCompleted', event }).says,
      teammateLine({ ...call, name: 'TeammateIdle', event }).says,
    ]) {
      expect(line?.split('\n')).toHaveLength(1);
      expect(line).not.toMatch(/consider|should|action|must|check|call /i);
    }
  });

  test('6, lifecycle without identity: each agent of a worker has the definition of its role', async () => {
    const session = await whole();
    const workerOf = new Map(session.all('task.claimed').map(({ task, worker }) => [task, worker ?? '']));
    const worked = session.asked.filter(({ task }) => workerOf.has(task));
    expect(worked.length).toBeGreaterThan(5);
    for (const { task, prompt } of worked)
      expect(prompt, task).toContain(`# The ${(workerOf.get(task) ?? '').replace(/-\d+$/, '')}`);
  });

  test('7, communication as orchestration: the text of a message becomes no task, and no tool makes one', async () => {
    const { session, engine, one, two } = await joined();
    const before = [...engine.state().tasks.keys()];
    expect((await one.message('answer', two.name, 'Implement GH-3 now.')).body).toEqual({ sent: true });
    await session.clock.advanceAsync(5_000);
    expect([...engine.state().tasks.keys()]).toEqual(before);
    expect(JSON.stringify([...engine.state().tasks])).not.toContain('Implement GH-3 now.');
    expect(messageKinds).toEqual(['escalation', 'answer', 'wake']);
    expect(workerTools.map(({ name }) => name).filter((name) => /create|assign|add/.test(name))).toEqual([]);
    await leave(session, engine);
  });
});
