import { beforeAll, expect, test } from 'vitest';
import { createAcpBackend } from '../../../src/agents/backends/acp/create-acp-backend.ts';
import { unknownAgent } from '../../../src/agents/backends/acp/profile.ts';
import type { AgentTools, ToolCalls } from '../../../src/agents/tools.ts';
import { createSimulatedSession } from '../../helpers/engine-session.ts';
import {
  createInProcessAgents,
  type InProcessAgents,
  type PromptHandler,
} from '../../helpers/in-process-agent.ts';
import { createSimulatedSpawn } from '../../helpers/simulated-spawn.ts';

// Loading the SDK takes real time, which a clock that the test moves does not give it.
beforeAll(async () => {
  await import('../../../src/agents/backends/acp/connect.io.ts');
});

const plan = `goal: Hold
settings: {planning: {max_cycles: 0}, roles: {executor: in-process}}
tasks:
  - {id: one, title: The only task, files: [one.txt], criteria: [it is there], run: [], verify: [check]}
`;

const done = '{"status": "completed", "summary": ["done"], "files_modified": ["one.txt"]}';

/** A session whose Executor is an agent of the SDK in this process, on a clock that the test moves. */
const createSession = (handle: PromptHandler, tools?: AgentTools, text = plan) => {
  let agents: InProcessAgents | null = null;
  const session = createSimulatedSession({
    plan: text,
    settings: { roles: { executor: 'in-process' } },
    program: () => ({ effect: () => session.disk.put('/work/one.txt', 'done') }),
    livingBackends: (clock) => {
      agents = createInProcessAgents(createSimulatedSpawn({ clock }), handle);
      const profile = { ...unknownAgent, name: 'in-process', label: 'In-process', command: ['in-process'] };
      const { disk } = session;
      return [
        createAcpBackend(
          { disk, spawn: agents.spawn, clock, env: {}, version: 'test', ...(tools ? { tools } : {}) },
          profile,
        ),
      ];
    },
  });
  return { session, prompts: () => agents?.prompts ?? [], running: () => agents?.running() ?? 0 };
};

/** Moves the clock until it is true. */
const until = async (
  session: ReturnType<typeof createSession>['session'],
  fits: () => boolean,
): Promise<void> => {
  for (let step = 0; !fits(); step += 1) {
    if (step > 2_000) throw new Error(JSON.stringify(session.events.slice(-5)));
    await session.clock.advanceAsync(50);
  }
};

test('an hour of pause makes no model request, and a steer that waited goes with the first prompt after it', async () => {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { session, prompts } = createSession(async ({ say }) => {
    if (prompts().length === 1) await released;
    await say(done);
    return 'end_turn';
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await until(session, () => prompts().length === 1);

  session.publish({ type: 'PAUSE', from: 'kim' });
  await until(session, () => engine.state().hold?.stage === 'pausing');
  release();
  await until(session, () => engine.state().hold?.stage === 'paused');
  session.publish({ type: 'STEER', target: 'Executor', message: 'Say it in French' });
  await session.clock.advanceAsync(3_600_000);
  expect(prompts()).toHaveLength(1);

  session.publish({ type: 'RESUME', from: 'kim' });
  const end = await session.settle(engine);
  expect(end).toMatchObject({ status: 'completed' });
  expect(prompts()).toHaveLength(2);
  expect(prompts()[1]).toContain('Say it in French');
});

test('an abort during a turn leaves no agent running', async () => {
  const { session, prompts, running } = createSession(async ({ cancelled }) => {
    await new Promise<void>((resolve) => cancelled.addEventListener('abort', () => resolve()));
    return 'cancelled';
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await until(session, () => prompts().length === 1);
  expect(running()).toBe(1);
  session.publish({ type: 'ABORT', from: 'kim' });
  expect(await session.settle(engine)).toMatchObject({ status: 'aborted' });
  expect(running()).toBe(0);
  expect(prompts()).toHaveLength(1);
});

test('an hour of an open question makes no model request, through a pause too; its answer is the next prompt', async () => {
  let calls: ToolCalls | null = null;
  const tools: AgentTools = {
    open: async (lent) => {
      calls = lent;
      return { name: 'ralph', url: 'http://127.0.0.1:9/mcp', token: 'x', close: () => {} };
    },
    close: async () => {},
  };
  const { session, prompts } = createSession(async ({ say }) => {
    if (prompts().length > 1) await say(done);
    else {
      calls?.ask({ question: 'Which port?', options: [] });
      await say('I wait for the answer.');
    }
    return 'end_turn';
  }, tools);
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await until(session, () => engine.state().questions.has('ask:one:1'));
  await session.clock.advanceAsync(1_800_000);
  session.publish({ type: 'PAUSE', from: 'kim' });
  await until(session, () => engine.state().hold?.stage === 'paused');
  await session.clock.advanceAsync(1_800_000);
  expect(prompts()).toHaveLength(1);
  session.publish({ type: 'ANSWER', request: 'ask:one:1', message: '8080', from: 'kim' });
  session.publish({ type: 'RESUME', from: 'kim' });
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(prompts().slice(1).join('\n')).toContain('8080');
});

test('what an agent says without a result stands in the log once', async () => {
  const { session, prompts } = createSession(
    async ({ say }) => {
      await say(`Nothing ${prompts().length}.`);
      return 'end_turn';
    },
    undefined,
    plan.replace(', verify: [check]', ''),
  );
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  const failures = () =>
    session.events.flatMap((event) => (event.type === 'invocation.failed' ? [event] : []));
  await until(session, () => failures().length > 0);
  const log = failures()[0]?.fault.where ?? '';
  expect(
    session.disk.text(`${engine.state().workspace}/.ralph-sessions/${engine.state().session}/${log}`),
  ).toBe('Nothing 1.\nNothing 2.\n');
  await engine.quit('quit');
});
