import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { profiles } from '../../src/agents/profiles/index.ts';
import type { AgentProfile } from '../../src/agents/profiles/profile.ts';
import { cleanEnvironment } from '../helpers/program.ts';
import { claude } from './agents/claude.ts';
import { codex } from './agents/codex.ts';
import { gemini } from './agents/gemini.ts';
import { opencode } from './agents/opencode.ts';
import { qwen } from './agents/qwen.ts';
import type { RealAgent } from './agents/real-agent.ts';

/** Installed agents and their homes; git ignores it. */
export const agentCache = join(import.meta.dirname, '../../.cache/agents');

/** Every agent that can be driven here. CI drives those that are not `optIn`. */
export const realAgents: readonly RealAgent[] = [gemini, codex, claude, opencode, qwen];

/**
 * The agents of this run: those that `AGENTS` names (`AGENTS=claude,qwen`), else all that are not `optIn`. Throws at a name that nobody knows.
 */
export const wantedAgents = (names = process.env['AGENTS']): readonly RealAgent[] => {
  if (names === undefined || names === '') return realAgents.filter(({ optIn }) => optIn !== true);
  const wanted = names.split(',');
  const unknown = wanted.find((name) => !realAgents.some((agent) => agent.name === name));
  if (unknown !== undefined)
    throw new Error(`AGENTS: no agent "${unknown}", only ${realAgents.map(({ name }) => name).join(', ')}`);
  return realAgents.filter(({ name }) => wanted.includes(name));
};

const packageSchema = z.object({ version: z.string() });

/** The exact packages are there. */
export const isInstalled = (agent: RealAgent): boolean =>
  Object.entries(agent.packages).every(([name, version]) => {
    const file = join(agentCache, agent.name, 'node_modules', name, 'package.json');
    return (
      existsSync(file) && packageSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).version === version
    );
  });

/** What our program knows about it. */
export const profileOf = ({ name }: RealAgent): AgentProfile => {
  const known = profiles.find((profile) => profile.name === name);
  if (!known) throw new Error(`no profile ${name}`);
  return known;
};

/** How the agent is started with a home of its own. */
export const startOf = (agent: RealAgent, home: string, modelUrl: string) => {
  const file = join(agentCache, agent.name, agent.entry);
  const env = { ...cleanEnvironment(), HOME: home, ...agent.settle(home, modelUrl) };
  return agent.entry.endsWith('.js')
    ? { command: process.execPath, args: [file, ...agent.args], env }
    : { command: file, args: agent.args, env };
};

/** Starts the agent once, so that its home is complete: of several Codex that make the databases of one new home at once, some exit with 1. */
export const completeHome = async (agent: RealAgent, home: string, modelUrl: string): Promise<void> => {
  const { command, args, env } = startOf(agent, home, modelUrl);
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const params = { protocolVersion: 1, clientCapabilities: {} };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  await once(child.stdout, 'data');
  child.kill();
  await once(child, 'close');
};
