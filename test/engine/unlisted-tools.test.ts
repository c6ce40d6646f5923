import { expect, onTestFinished, test } from 'vitest';
import { createAcpBackend } from '../../src/agents/backends/acp/create-acp-backend.ts';
import { example } from '../../src/agents/profiles/example.ts';
import { lazyTools } from '../../src/cli/host/session-tools.ts';
import { createWorld } from '../../src/cli/world.ts';
import { createRealSession } from '../helpers/real-session.ts';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const answer = { do: 'say', text: '{"status": "completed", "summary": ["It works."]}\n' } as const;

test.each([
  [
    'that never asked for our tools is named on its attempt',
    [answer],
    'cancels',
    ['to ask you or to receive messages while it works'],
  ],
  ['that gets messages another way lacks only the questions', [answer], 'injects', ['to ask you']],
  ['that calls one is not', [{ do: 'mcp', tool: 'check_signals' }, answer], 'cancels', []],
] as const)('an agent %s', async (_, actions, secondPrompt, lacks) => {
  const { command, args } = createScriptedAgent(tempDir(), {
    initialize: { agentCapabilities: { mcpCapabilities: { http: true } } },
    turns: [{ again: true, actions: [...actions] }],
  });
  const world = createWorld();
  const tools = lazyTools(world);
  onTestFinished(() => tools.close());
  const deps = { ...world, tools, env: process.env, version: 'test' };
  const backend = createAcpBackend(deps, {
    ...example,
    label: 'Mine',
    secondPrompt,
    command: [command, ...args],
  });
  const session = createRealSession(tempDir(), 'goal: x\ntasks: [{id: t, title: T, objective: Look}]\n', {
    backends: [backend],
    settings: { roles: { executor: 'example' }, permissions: 'all' },
    isAgreed: () => true,
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await engine.settled();
  expect(session.all('reply.ended')).toHaveLength(1);
  const found = session.all('finding.noted').filter(({ text }) => text.includes('has not connected'));
  expect(found.map(({ text }) => text)).toEqual(
    lacks.map(
      (uses) =>
        `Mine has not connected to ralph-tui's tools, so it cannot use them ${uses}; its own settings or folder trust may block MCP servers: \`ralph-tui doctor --verify example\` tests the connection`,
    ),
  );
});
