import { expect, onTestFinished, test } from 'vitest';
import { createAcpBackend } from '../../src/agents/backends/acp/create-acp-backend.ts';
import type { Preset } from '../../src/agents/permissions.ts';
import { example } from '../../src/agents/profiles/example.ts';
import { lazyTools } from '../../src/cli/host/session-tools.ts';
import { createWorld } from '../../src/cli/world.ts';
import { createRealSession } from '../helpers/real-session.ts';
import type { ScriptTurn } from '../helpers/scripted-agent/script.ts';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const outcome = { status: 'completed', summary: ['It works.'] };

/** A headless session with one task of an agent with these turns. */
const begin = async (turns: readonly ScriptTurn[], permissions: Preset = 'all') => {
  const agent = createScriptedAgent(tempDir(), {
    initialize: { agentCapabilities: { mcpCapabilities: { http: true } } },
    turns: [...turns],
  });
  const world = createWorld();
  const tools = lazyTools(world);
  onTestFinished(() => tools.close());
  const backend = createAcpBackend(
    { ...world, tools, env: process.env, version: 'test' },
    { ...example, command: [agent.command, ...agent.args] },
  );
  const session = createRealSession(tempDir(), 'goal: x\ntasks: [{id: t, title: T, objective: Look}]\n', {
    backends: [backend],
    settings: { roles: { executor: 'example' }, permissions },
    isAgreed: () => true,
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await engine.settled();
  return { agent, session };
};

test.each<[string, Readonly<Record<string, unknown>>, number, string]>([
  ['says its result without a status', { outcome }, 1, ''],
  ['forgets its result and says nothing', { status: 'completed' }, 2, 'Wrong: outcome: missing'],
  [
    'gives a result that does not fit and says nothing',
    { outcome: { ...outcome, status: 'perfect' } },
    2,
    'Wrong: status: must be one of',
  ],
])('an agent that %s is understood, or asked again', async (_, update, prompts, asked) => {
  const { agent, session } = await begin([
    { actions: [{ do: 'mcp', tool: 'task_update', arguments: update }] },
    { again: true, actions: [{ do: 'say', text: JSON.stringify(outcome) }] },
  ]);
  expect(session.all('invocation.failed')).toEqual([]);
  const said = agent
    .log()
    .flatMap(({ method, params }) => (method === 'session/prompt' ? [JSON.stringify(params)] : []));
  expect(said).toHaveLength(prompts);
  expect(said.at(-1)).toContain(asked);
});

test('a turn that ends at a refusal names it', async () => {
  const toolCall = { toolCallId: 'c1', title: 'curl x', kind: 'execute', rawInput: { command: 'curl x' } };
  const { session } = await begin([{ again: true, actions: [{ do: 'permission', toolCall }] }], 'ask');
  expect(session.all('invocation.failed')[0]).toMatchObject({
    kind: 'no-result',
    fault: {
      what: expect.stringMatching(/^ended without a result.*; its last request was refused: curl x$/),
    },
  });
});
