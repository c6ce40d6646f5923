import { expect, test } from 'vitest';
import { toolAccess } from '../../../src/agents/backends/acp/environment/tool-access.ts';
import { claude } from '../../../src/agents/profiles/claude.ts';
import { codex } from '../../../src/agents/profiles/codex.ts';
import type { PromptHandler } from '../../helpers/in-process-agent.ts';
import {
  createLentTools,
  createLiveSession,
  type LiveOptions,
  liveDone,
} from '../../helpers/live-session.ts';

/** A session whose agent does this with its first prompt, and ends at once with every later one. */
const begin = async (first: PromptHandler, options: LiveOptions) => {
  const live = createLiveSession(async (ask) => {
    if (live.prompts().length === 1) return first(ask);
    await ask.say(liveDone);
    return 'end_turn';
  }, options);
  const engine = live.session.begin();
  expect(await engine.start()).toBeNull();
  const send = (type: 'INFO' | 'STEER', message: string) => {
    const id = live.session.publish({ type, target: 'Executor', message });
    return () => engine.state().signals.get(id);
  };
  return { ...live, engine, send };
};

const cancelled = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve()));

test('an agent that asks for messages between its tools gets those that wait, once', async () => {
  const pulls: unknown[] = [];
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const at = await begin(
    async ({ client, sessionId, say }) => {
      for (const { promise } of gates) {
        await promise;
        pulls.push(await client.request<unknown, unknown>('agent/pull', { sessionId }));
      }
      await say(liveDone);
      return 'end_turn';
    },
    { profile: { pullsWith: 'agent/pull' } },
  );
  await at.until(() => at.prompts().length === 1);
  const info = at.send('INFO', 'Short files');
  await at.until(() => info()?.stage === 'pending');
  expect(info()).toMatchObject({
    waitsFor: 'reaches the agent on one between two tool calls, or when this turn ends',
  });
  gates[0]?.resolve();
  await at.until(() => info()?.stage === 'delivered');
  gates[1]?.resolve();
  await at.until(() => info()?.stage === 'handled');
  expect(await at.session.settle(at.engine)).toMatchObject({ status: 'completed' });
  expect(pulls).toEqual([{ messages: [expect.stringContaining('INFO: Short files')] }, { messages: [] }]);
  expect(info()).toMatchObject({
    action: expect.stringMatching(/^added to the context between two tool calls at /),
  });
  expect(at.prompts()).toHaveLength(1);
});

test('a reply lasts until an injected prompt is answered too, which some agents do after the first', async () => {
  const second = Promise.withResolvers<void>();
  const third = Promise.withResolvers<void>();
  const live = createLiveSession(
    async ({ say }) => {
      if (live.prompts().length === 1) {
        await second.promise;
        return 'end_turn';
      }
      second.resolve();
      await third.promise;
      await say(liveDone);
      return 'end_turn';
    },
    { profile: { secondPrompt: 'injects' } },
  );
  const engine = live.session.begin();
  expect(await engine.start()).toBeNull();
  await live.until(() => live.prompts().length === 1);
  live.session.publish({ type: 'INFO', target: 'Executor', message: 'Short files' });
  await live.until(() => live.prompts().length === 2);
  await live.session.clock.advanceAsync(5_000);
  third.resolve();
  expect(await live.session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(live.prompts()).toHaveLength(2);
});

test('an agent whose steering cuts its reply is steered for a STEER, and not for an INFO', async () => {
  const steers: string[] = [];
  const at = await begin(
    async ({ steered, say, cancelled: over }) => {
      steers.push((await Promise.race([steered(), cancelled(over)])) ?? '');
      await say(liveDone);
      return 'end_turn';
    },
    { steering: true, profile: { steering: 'cuts' } },
  );
  await at.until(() => at.prompts().length === 1);
  const info = at.send('INFO', 'Short files');
  await at.session.clock.advanceAsync(60_000);
  expect(info()).toMatchObject({ stage: 'pending' });
  const steer = at.send('STEER', 'Use the word blue');
  await at.until(() => steer()?.stage === 'unanswered');
  expect(steers).toEqual([expect.stringMatching(/Short files[\s\S]*Use the word blue/)]);
  expect(await at.session.settle(at.engine)).toMatchObject({ status: 'completed' });
});

test('an INFO that was injected into a reply is handled when that reply ends, and goes to the next attempt when it is cut off', async () => {
  const at = await begin(
    async ({ steered, cancelled: over }) => {
      await steered();
      await cancelled(over);
      return 'cancelled';
    },
    { steering: true },
  );
  await at.until(() => at.prompts().length === 1);
  const info = at.send('INFO', 'Short files');
  await at.until(() => info()?.stage === 'delivered');
  at.session.publish({ type: 'RETRY', target: 'ALL', task: 'one', message: 'Anew' });
  await at.until(() => at.prompts().length > 1);
  expect(at.prompts().slice(1).join()).toContain('Short files');
  await at.until(() => info()?.stage === 'handled');
  expect(await at.session.settle(at.engine)).toMatchObject({ status: 'completed' });
  expect(info()?.action).toMatch(/^added to the context with its prompt at /);
  expect(at.session.all('message.carried')).toEqual([]);
});

test('an INFO that was injected into a reply which ends by itself is handled with that end', async () => {
  const go = Promise.withResolvers<void>();
  const at = await begin(
    async ({ steered, say }) => {
      await steered();
      await say('still the reply from before');
      await go.promise;
      await say(liveDone);
      return 'end_turn';
    },
    { steering: true },
  );
  await at.until(() => at.prompts().length === 1);
  const info = at.send('INFO', 'Short files');
  await at.until(() => info()?.stage === 'delivered');
  await at.session.clock.advanceAsync(5_000);
  expect(info()?.stage).toBe('delivered');
  go.resolve();
  await at.until(() => info()?.stage === 'handled');
  expect(info()?.action).toMatch(/^added to the context through its steering extension at /);
  expect(await at.session.settle(at.engine)).toMatchObject({ status: 'completed' });
});

test('the first prompt waits until an agent that lists our tools late has listed them, or 20 s', async () => {
  const { tools, calls } = createLentTools();
  const done: PromptHandler = async ({ say }) => {
    await say(liveDone);
    return 'end_turn';
  };
  const listed = await begin(done, { tools, profile: { listsToolsLate: true } });
  await listed.session.clock.advanceAsync(5_000);
  expect(listed.prompts()).toEqual([]);
  calls().listed?.();
  await listed.until(() => listed.prompts().length === 1);
  expect(await listed.session.settle(listed.engine)).toMatchObject({ status: 'completed' });

  const never = await begin(done, { tools, profile: { listsToolsLate: true } });
  await never.session.clock.advanceAsync(15_000);
  expect(never.prompts()).toEqual([]);
  await never.session.clock.advanceAsync(10_000);
  await never.until(() => never.prompts().length === 1);
  expect(await never.session.settle(never.engine)).toMatchObject({ status: 'completed' });
});

test('the token of our tools goes by a variable where the agent expands headers, and not into its arguments', () => {
  const server = {
    name: 'ralph',
    url: 'http://127.0.0.1:9/mcp',
    headers: [{ name: 'Authorization', value: 'Bearer secret' }],
  };
  expect(toolAccess(codex, [server])).toEqual({ servers: [server], env: {} });
  const { servers, env } = toolAccess(claude, [server]);
  expect(JSON.stringify(servers)).not.toContain('secret');
  expect(servers[0]?.headers).toEqual([{ name: 'Authorization', value: `\${RALPH_TOOLS_TOKEN}` }]);
  expect(env).toEqual({ RALPH_TOOLS_TOKEN: 'Bearer secret' });
});
