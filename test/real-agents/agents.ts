import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { cleanEnvironment } from '../helpers/program.ts';

/** Installed agents and their homes; git ignores it. */
export const agentCache = join(import.meta.dirname, '../../.cache/agents');

export interface RealAgent {
  readonly name: 'gemini' | 'codex';
  /** What is installed, exactly: a range would test another agent every week. */
  readonly packages: Readonly<Record<string, string>>;
  /** For `npm install`. */
  readonly flags: readonly string[];
  /** What node runs, relative to the folder of its installation. */
  readonly entry: string;
  readonly args: readonly string[];
  /** Writes the settings into a fresh home and gives the environment that points the agent to a model on this URL. */
  readonly settle: (home: string, modelUrl: string) => Readonly<Record<string, string>>;
}

const gemini: RealAgent = {
  name: 'gemini',
  packages: { '@google/gemini-cli': '0.61.0' },
  flags: ['--omit=optional', '--ignore-scripts'],
  entry: 'node_modules/@google/gemini-cli/bundle/gemini.js',
  args: ['--acp'],
  settle: (home, modelUrl) => {
    mkdirSync(join(home, '.gemini'), { recursive: true });
    writeFileSync(
      join(home, '.gemini', 'settings.json'),
      JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true, enableAutoUpdate: false },
      }),
    );
    return {
      GEMINI_API_KEY: 'dummy',
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      GEMINI_TELEMETRY_ENABLED: 'false',
      GEMINI_CLI_NO_RELAUNCH: 'true',
    };
  },
};

const codex: RealAgent = {
  name: 'codex',
  // The adapter asks for a range of Codex itself.
  packages: { '@agentclientprotocol/codex-acp': '2.6.0', '@openai/codex': '0.166.0' },
  flags: ['--ignore-scripts'],
  entry: 'node_modules/@agentclientprotocol/codex-acp/dist/index.js',
  args: [],
  settle: (home, modelUrl) => {
    const codexHome = join(home, '.codex');
    mkdirSync(codexHome, { recursive: true });
    writeFileSync(
      join(codexHome, 'config.toml'),
      `model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "SCRIPTED_API_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false

[features]
plugins = false
apps = false

[analytics]
enabled = false
`,
    );
    return { SCRIPTED_API_KEY: 'dummy', CODEX_HOME: codexHome };
  },
};

export const realAgents: readonly RealAgent[] = [gemini, codex];

const packageSchema = z.object({ version: z.string() });

/** The exact packages are there. */
export const isInstalled = (agent: RealAgent): boolean =>
  Object.entries(agent.packages).every(([name, version]) => {
    const file = join(agentCache, agent.name, 'node_modules', name, 'package.json');
    return (
      existsSync(file) && packageSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).version === version
    );
  });

/** How the agent is started with a home of its own. */
export const startOf = (agent: RealAgent, home: string, modelUrl: string) => ({
  command: process.execPath,
  args: [join(agentCache, agent.name, agent.entry), ...agent.args],
  env: { ...cleanEnvironment(), HOME: home, ...agent.settle(home, modelUrl) },
});

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
