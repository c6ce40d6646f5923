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
  ['that never asked for our tools is named on its attempt', [answer], 1],
  ['that calls one is not', [{ do: 'mcp', tool: 'check_signals' }, answer], 0],
] as const)('an agent %s', async (_, actions, times) => {
  const { command, args } = createScriptedAgent(tempDir(), {
    initialize: { agentCapabilities: { mcpCapabilities: { http: true } } },
    turns: [{ again: true, actions: [...actions] }],
  });
  const world = createWorld();
  const tools = lazyTools(world);
  onTestFinished(() => tools.close());
  const deps = { ...world, tools, env: process.env, version: 'test' };
  const backend = createAcpBackend(deps, { ...example, label: 'Mine', command: [command, ...args] });
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
  expect(found).toHaveLength(times);
  for (const { text } of found) {
    expect(text).toMatch(
      /^Mine has not connected to ralph-tui's tools, so it can neither ask you nor receive messages/,
    );
    expect(text).toContain('`ralph-tui doctor --verify example`');
  }
});
