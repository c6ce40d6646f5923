import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RealAgent } from './real-agent.ts';

const configOf = (modelUrl: string): string => `model = "gpt-5.5"
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
`;

export const codex: RealAgent = {
  name: 'codex',
  // The adapter asks for a range of Codex itself.
  packages: { '@agentclientprotocol/codex-acp': '2.6.0', '@openai/codex': '0.166.0' },
  flags: ['--ignore-scripts'],
  entry: 'node_modules/@agentclientprotocol/codex-acp/dist/index.js',
  args: [],
  settle: (home, modelUrl) => {
    const codexHome = join(home, '.codex');
    mkdirSync(codexHome, { recursive: true });
    writeFileSync(join(codexHome, 'config.toml'), configOf(modelUrl));
    // Where bubblewrap is installed, Codex runs commands behind it, through a helper in its home, which it does not make below the temporary directory.
    const temporary = join(home, 'tmp');
    mkdirSync(temporary, { recursive: true });
    return { SCRIPTED_API_KEY: 'dummy', CODEX_HOME: codexHome, TMPDIR: temporary };
  },
  endsAtRejection: true,
  toolAsk: 'execute',
  reachedBy: 'through its steering extension',
  usage: /^\d+ tokens in, \d+ out; cost not reported/,
  hand: {
    shell: (cmd) => ({
      tool: 'exec_command',
      arguments: { cmd, sandbox_permissions: 'require_escalated', justification: 'a test' },
    }),
    look: (cmd) => ({ tool: 'exec_command', arguments: { cmd } }),
    read: (_, path, why) => ({ tool: 'exec_command', arguments: { cmd: `cat ${path} # ${why}` } }),
    fetch: (url) => ({
      tool: 'exec_command',
      arguments: { cmd: `curl ${url}`, sandbox_permissions: 'require_escalated', justification: 'a test' },
    }),
    edit: (_, path, was, becomes) => [
      {
        tool: 'apply_patch',
        input: `*** Begin Patch\n*** Update File: ${path}\n@@\n-${was}\n+${becomes}\n*** End Patch\n`,
      },
    ],
    create: (_, path, line) => ({
      tool: 'apply_patch',
      input: `*** Begin Patch\n*** Add File: ${path}\n+${line}\n*** End Patch\n`,
    }),
    ours: (tool, input) => [{ search: tool }, { tool, arguments: input }],
  },
};
