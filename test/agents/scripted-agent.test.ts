import { expect, onTestFinished, test } from 'vitest';
import { type BareClientOptions, choose, startBareClient } from '../helpers/bare-client.ts';
import { cleanEnvironment } from '../helpers/program.ts';
import { misbehaviours } from '../helpers/scripted-agent/misbehaviours.ts';
import type { AgentScript } from '../helpers/scripted-agent/script.ts';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { isLongForm } from '../helpers/test-form.ts';

/** The scripted agent as the SDK's own client sees it. */
const start = (script: Omit<AgentScript, 'log'>, options: Partial<BareClientOptions> = {}) => {
  const directory = tempDir();
  const agent = createScriptedAgent(directory, script);
  const client = startBareClient({
    command: agent.command,
    args: agent.args,
    cwd: directory,
    env: cleanEnvironment(),
    ...options,
  });
  onTestFinished(async () => {
    await client.end();
  });
  return { agent, client, directory };
};

const begin = async (script: Omit<AgentScript, 'log'>, options: Partial<BareClientOptions> = {}) => {
  const started = start(script, options);
  await started.client.initialize();
  return { ...started, ...(await started.client.newSession()) };
};

const edit = { toolCallId: 'e', title: 'Edit', kind: 'edit' };

test('each prompt is served by the first turn that fits and is not used up', async () => {
  const { client, sessionId } = await begin({
    turns: [
      { when: 'alpha', actions: [{ do: 'say', text: '1' }] },
      { when: 'beta', actions: [{ do: 'say', text: '2' }], again: true },
      { actions: [{ do: 'say', text: '3' }] },
    ],
  });
  for (const prompt of ['beta', 'alpha', 'beta', 'alpha'])
    expect((await client.prompt(sessionId, prompt)).stopReason).toBe('end_turn');
  expect(client.text()).toBe('2123');
  await client.prompt(sessionId, 'alpha');
  expect(client.text()).toContain('no turn for this prompt');
});

test('what follows a permission depends on the kind of the answer', async () => {
  const asks: AgentScript['turns'][number] = {
    actions: [
      {
        do: 'permission',
        toolCall: edit,
        allowed: [{ do: 'say', text: 'allowed' }],
        rejected: [{ do: 'say', text: 'rejected' }],
      },
    ],
  };
  const kinds: ('allow_once' | 'reject_once')[] = ['allow_once', 'reject_once'];
  const { client, sessionId } = await begin(
    { turns: [asks, asks] },
    { permission: (request) => choose(request, kinds.shift() ?? 'reject_once') },
  );
  await client.prompt(sessionId, 'one');
  await client.prompt(sessionId, 'two');
  expect(client.text()).toBe('allowedrejected');
});

test('a cancel stops the command of a turn, and the turn ends as cancelled', async () => {
  const { agent, client, sessionId } = await begin({
    turns: [{ actions: [{ do: 'shell', command: 'sleep 300' }] }],
  });
  const ended = client.prompt(sessionId, 'go');
  await client.until(() => client.updates.length > 0);
  await client.cancel(sessionId);
  expect((await ended).stopReason).toBe('cancelled');
  expect((await agent.until('shell'))['code']).toBe(null);
});

test('an agent that ignores everything goes on until it is killed', async () => {
  const { agent, client, sessionId } = await begin(
    misbehaviours['ignores cancel, the end of its input and SIGTERM'],
  );
  void client.prompt(sessionId, 'go').catch(() => {});
  await client.until(() => client.text() === 'working');
  await client.cancel(sessionId);
  await agent.until('notification');
  process.kill(client.pid, 'SIGTERM');
  await agent.until('SIGTERM');
  expect(await client.end()).toBe('SIGKILL');
});

test('a steering message joins the running turn', async () => {
  const { agent, client, sessionId } = await begin({
    steering: 'injected',
    turns: [
      {
        actions: [{ do: 'say', text: 'working' }, { do: 'until-steered' }, { do: 'say', text: ', steered' }],
      },
    ],
  });
  const ended = client.prompt(sessionId, 'go');
  await client.until(() => client.text() === 'working');
  const prompt = [{ type: 'text', text: 'use bar' }];
  expect(await client.agent.request('_session/steering', { sessionId, prompt })).toEqual({
    outcome: 'injected',
  });
  await ended;
  expect(client.text()).toBe('working, steered');
  expect((await agent.until('steered'))['text']).toBe('use bar');
  expect(await client.agent.request('_session/steering', { sessionId, prompt })).toMatchObject({
    outcome: 'promptRequired',
  });
});

test.each([
  ['crashes at start', 3],
  ['exits 0 in a turn, without a result', 0],
  ['crashes in a turn', 139],
] as const)('an agent that %s ends with %i', async (name, code) => {
  const { client } = start(misbehaviours[name]);
  void client
    .initialize()
    .then(async () => {
      const { sessionId } = await client.newSession();
      await client.prompt(sessionId, 'go');
    })
    .catch(() => {});
  expect(await client.exited).toBe(code);
});

test('an agent that needs a login says so with -32000 until it has one', async () => {
  const refused = start(misbehaviours['requires a login']);
  expect((await refused.client.initialize()).authMethods).toHaveLength(1);
  await expect(refused.client.newSession()).rejects.toMatchObject({ code: -32000 });

  const { client } = start({ newSession: 'login', authenticate: 'accept', turns: [] });
  await client.initialize();
  await client.agent.request('authenticate', { methodId: 'scripted' });
  await client.newSession();
});

// Only `real-agents/agent-failures.test.ts` floods, and that runs beside the long form.
test.runIf(isLongForm)('the floods are as large as their names say', async () => {
  const text = await begin(misbehaviours['floods with 50 MB of text']);
  await text.client.prompt(text.sessionId, 'go');
  expect(text.client.text().length).toBeGreaterThanOrEqual(50_000_000);

  const tools = await begin(misbehaviours['floods with 5,000 tool calls']);
  await tools.client.prompt(tools.sessionId, 'go');
  expect(tools.client.updates.filter((update) => update.sessionUpdate === 'tool_call')).toHaveLength(5_000);

  const permissions = await begin(misbehaviours['asks 200 permissions at once']);
  await permissions.client.prompt(permissions.sessionId, 'go');
  expect(permissions.client.asked).toHaveLength(200);
});

test('a command that forked away outlives its agent', async () => {
  const { agent, client, sessionId } = await begin(misbehaviours['forks away']);
  await client.prompt(sessionId, 'go');
  const forked = Number((await agent.until('forked'))['child']);
  await client.end();
  expect(process.kill(forked, 'SIGKILL')).toBe(true);
});

test('a turn that nobody asked for comes after the one that was', async () => {
  const { client, agent, sessionId } = await begin(misbehaviours['starts a turn unprompted']);
  await client.prompt(sessionId, 'go');
  await agent.until('shell');
  await client.until(() => client.text() === 'promptedunprompted');
});
