import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createBackends } from '../../src/agents/backends/index.io.ts';
import { claude } from '../../src/agents/profiles/claude.ts';
import { codex } from '../../src/agents/profiles/codex.ts';
import type { AgentProfile } from '../../src/agents/profiles/profile.ts';
import type { RoleFact } from '../../src/agents/role-fact.ts';
import { createClock } from '../../src/base/clock.io.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import { createRandom } from '../../src/base/random.io.ts';
import type { Step } from '../helpers/model-server/script.ts';
import { cleanEnvironment } from '../helpers/program.ts';
import { briefOf, taskOf } from '../helpers/role-port.ts';
import { answerOf, bench } from '../helpers/worker-bench.ts';
import type { RealAgent } from './agents/real-agent.ts';
import { agentCache } from './agents.ts';
import { installedAgents, makeHome, makeWorkspace, modelServer } from './world.ts';

/** The very words with which a program without its adapter is started. */
const printArguments = ({ printMode }: AgentProfile, preset: 'edits' | 'all'): readonly string[] =>
  printMode === null ? [] : [...printMode.args, ...printMode.allows[preset]];

/** The vendors' own programs, which the adapters bring with them, as command agents that print their stream. */
const programs: Readonly<Record<string, { readonly output: string; readonly command: readonly string[] }>> = {
  codex: {
    output: 'codex',
    command: [
      process.execPath,
      join(agentCache, 'codex/node_modules/@openai/codex/bin/codex.js'),
      ...printArguments(codex, 'all'),
    ],
  },
  claude: {
    output: 'claude',
    command: [
      join(agentCache, `claude/node_modules/@anthropic-ai/claude-agent-sdk-linux-${process.arch}/claude`),
      ...printArguments(claude, 'edits'),
    ],
  },
};

const agents = installedAgents().filter(
  ({ name }) =>
    programs[name] !== undefined &&
    existsSync(programs[name].command.find((word) => word.startsWith(agentCache)) ?? ''),
);

const start = async (agent: RealAgent, steps: (workspace: string) => readonly Step[]) => {
  const home = makeHome();
  const workspace = makeWorkspace(home);
  const model = await modelServer({ name: 'only', when: [], steps: steps(workspace) });
  const env = { HOME: home, ...agent.settle(home, model.url) };
  const backend = createBackends(
    {
      disk: createDisk(),
      spawn: createSpawn(),
      clock: createClock(),
      random: createRandom(),
      env: cleanEnvironment(),
    },
    { own: { type: 'command', ...programs[agent.name], env } },
  ).find(({ name }) => name === 'own');
  if (!backend) throw new Error('no backend');
  const sessionDirectory = join(workspace, '.ralph-sessions/260215-101500');
  const at = bench(
    backend,
    briefOf({ workspace, sessionDirectory, task: taskOf({ files: ['a.txt'] }), attempt: 1 }),
  );
  return { at, model, workspace };
};

const ofType = <T extends RoleFact['type']>(facts: readonly RoleFact[], type: T) =>
  facts.filter((fact): fact is Extract<RoleFact, { type: T }> => fact.type === type);

describe.each(agents)('$name', (agent) => {
  test('prints a stream that gives its session, words, calls and tokens', async () => {
    const { at, model, workspace } = await start(agent, (workspace) => [
      ...agent.hand
        .edit(workspace, 'a.txt', 'one', 'two')
        .map((part) => ({ reply: [{ text: 'I look.' }, part] })),
      { reply: [{ text: '{"status": "completed", "files_modified": ["a.txt"]}' }] },
    ]);
    expect(answerOf(await at.turn('implement'))).toMatchObject({ status: 'completed' });
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('two\n');
    expect(at.output()).toMatch(/^I look\.\n/);
    expect(ofType(at.facts, 'agent.connected')).toHaveLength(1);
    expect(ofType(at.facts, 'tool.started').at(-1)).toMatchObject({ kind: 'edit', title: 'a.txt' });
    expect(ofType(at.facts, 'tool.ended').every(({ ok }) => ok)).toBe(true);
    const requests = model.requests.filter(({ kind }) => kind === 'step').length;
    expect(ofType(at.facts, 'reply.ended')).toMatchObject([
      { stop: 'end_turn', tokens: { input: 1_200 * requests, output: 34 * requests } },
    ]);
    expect(ofType(at.facts, 'finding.noted')).toEqual([]);
    expect(model.problems).toEqual([]);
  });

  test('reports a used-up quota as one', async () => {
    const { at } = await start(agent, () => [{ fail: 429 }]);
    const ended = await at.turn('implement');
    expect(ended).toMatchObject({ kind: 'failed', fault: { code: 'agent-quota' } });
    // Its words name no time, or they do.
    expect(ended).toHaveProperty('quotaUntil');
  });
});
