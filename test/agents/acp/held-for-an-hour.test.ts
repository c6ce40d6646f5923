import { expect, test } from 'vitest';
import { callTool } from '../../../src/mcp/call-tool.ts';
import { createPatience } from '../../../src/mcp/patience.ts';
import { tools as mcpTools } from '../../../src/mcp/tools/index.ts';
import {
  createLentTools,
  createLiveSession,
  liveDone as done,
  livePlan as plan,
} from '../../helpers/live-session.ts';

test('an hour of pause makes no model request, and a steer that waited goes with the first prompt after it', async () => {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { session, prompts, until } = createLiveSession(async ({ say }) => {
    if (prompts().length === 1) await released;
    await say(done);
    return 'end_turn';
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await until(() => prompts().length === 1);

  session.publish({ type: 'PAUSE', from: 'kim' });
  await until(() => engine.state().hold?.stage === 'pausing');
  release();
  await until(() => engine.state().hold?.stage === 'paused');
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
  const { session, prompts, running, until } = createLiveSession(async ({ cancelled }) => {
    await new Promise<void>((resolve) => cancelled.addEventListener('abort', () => resolve()));
    return 'cancelled';
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await until(() => prompts().length === 1);
  expect(running()).toBe(1);
  session.publish({ type: 'ABORT', from: 'kim' });
  expect(await session.settle(engine)).toMatchObject({ status: 'aborted' });
  expect(running()).toBe(0);
  expect(prompts()).toHaveLength(1);
});

test('an hour of an open question makes no model request, through a pause too; its answer is the next prompt', async () => {
  const { tools, calls } = createLentTools();
  const { session, prompts, until } = createLiveSession(
    async ({ say }) => {
      if (prompts().length > 1) await say(done);
      else {
        calls().ask({ question: 'Which port?', options: [] });
        await say('I wait for the answer.');
      }
      return 'end_turn';
    },
    { tools, attended: true },
  );
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await until(() => engine.state().questions.has('ask:one:1'));
  await session.clock.advanceAsync(1_800_000);
  session.publish({ type: 'PAUSE', from: 'kim' });
  await until(() => engine.state().hold?.stage === 'paused');
  await session.clock.advanceAsync(1_800_000);
  expect(prompts()).toHaveLength(1);
  session.publish({ type: 'ANSWER', request: 'ask:one:1', message: '8080', from: 'kim' });
  session.publish({ type: 'RESUME', from: 'kim' });
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(prompts().slice(1).join('\n')).toContain('8080');
});

test('a question that nobody is there to answer ends the session within a second, and is told so in the result', async () => {
  const { tools, calls } = createLentTools();
  let told: unknown = null;
  const { session, prompts } = createLiveSession(
    async ({ say }) => {
      const tool = mcpTools.find(({ name }) => name === 'ask_person');
      const patience = createPatience(session.clock, new AbortController().signal);
      if (tool) told = (await callTool(tool, calls(), { question: 'Which port?' }, patience)).body;
      await say('I wait for the answer.');
      return 'end_turn';
    },
    { tools },
  );
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.clock.advanceAsync(1_000);
  expect(told).toMatchObject({ answered: false, session: 'paused' });
  expect(await session.settle(engine)).toMatchObject({ exitCode: 3, reason: 'gate: Which port?' });
  expect(prompts()).toHaveLength(1);
});

test('an agent that lost its session with the pause is told its task again, and all that it was told meanwhile', async () => {
  const { tools, calls } = createLentTools();
  const looks = Promise.withResolvers<void>();
  const ends = Promise.withResolvers<void>();
  const { session, prompts, until } = createLiveSession(
    async ({ say }) => {
      if (prompts().length > 1) await say(done);
      else {
        await looks.promise;
        const tool = mcpTools.find(({ name }) => name === 'check_signals');
        const patience = createPatience(session.clock, new AbortController().signal);
        if (tool) calls().reached((await callTool(tool, calls(), {}, patience)).messages);
        await ends.promise;
        await say('Half of it.');
      }
      return 'end_turn';
    },
    { tools },
  );
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await until(() => prompts().length === 1);
  session.publish({ type: 'INFO', target: 'Executor', message: 'The tide is out' });
  await until(() => [...engine.state().signals.values()].some(({ stage }) => stage === 'pending'));
  looks.resolve();
  await until(() => session.all('message.arrived').length === 1);
  session.publish({ type: 'PAUSE', from: 'kim' });
  await until(() => engine.state().hold?.stage === 'pausing');
  ends.resolve();
  await until(() => engine.state().hold?.stage === 'paused');
  session.publish({ type: 'RESUME', from: 'kim' });
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  // The agent of the test gives each of its sessions the same id.
  expect(prompts()[1]).toContain('The only task');
  expect(prompts()[1]).toContain('Half of it.');
  expect(prompts()[1]).toContain('The tide is out');
});

test('what an agent says without a result stands in the log once', async () => {
  const { session, prompts, until } = createLiveSession(
    async ({ say }) => {
      await say(`Nothing ${prompts().length}.`);
      return 'end_turn';
    },
    { plan: plan.replace(', verify: [check]', '') },
  );
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  const failures = () =>
    session.events.flatMap((event) => (event.type === 'invocation.failed' ? [event] : []));
  await until(() => failures().length > 0);
  const log = failures()[0]?.fault.where ?? '';
  expect(
    session.disk.text(`${engine.state().workspace}/.ralph-sessions/${engine.state().session}/${log}`),
  ).toBe('Nothing 1.\nNothing 2.\n');
  await engine.quit('quit');
});
