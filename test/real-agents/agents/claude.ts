import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RealAgent } from './real-agent.ts';

export const claude: RealAgent = {
  name: 'claude',
  // The adapter asks for exactly this version of Claude Code.
  packages: { '@agentclientprotocol/claude-agent-acp': '0.100.0' },
  flags: ['--ignore-scripts'],
  entry: 'node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js',
  args: [],
  optIn: true,
  settle: (home, modelUrl) => {
    const config = join(home, '.claude');
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, 'settings.json'), '{}');
    return {
      ANTHROPIC_API_KEY: 'dummy',
      ANTHROPIC_BASE_URL: modelUrl,
      CLAUDE_CONFIG_DIR: config,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_MAX_RETRIES: '0',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
    };
  },
  endsAtRejection: false,
  toolAsk: 'other',
  reachedBy: 'with the result of a ralph-tui tool',
  usage: /^\d+ tokens in, \d+ out; .*USD/,
  hand: {
    shell: (command) => ({ tool: 'Bash', arguments: { command, description: 'a test' } }),
    look: (command) => ({ tool: 'Bash', arguments: { command, description: 'a test' } }),
    read: (workspace, path) => ({ tool: 'Read', arguments: { file_path: join(workspace, path) } }),
    fetch: (url) => ({ tool: 'WebFetch', arguments: { url, prompt: 'Read it' }, hidden: true }),
    edit: (workspace, path, was, becomes) => [
      { tool: 'Read', arguments: { file_path: join(workspace, path) } },
      {
        tool: 'Edit',
        arguments: { file_path: join(workspace, path), old_string: was, new_string: becomes },
      },
    ],
    create: (workspace, path, line) => ({
      tool: 'Write',
      arguments: { file_path: workspace === '' ? path : resolve(workspace, path), content: `${line}\n` },
    }),
    ours: (tool, input) => [{ tool, arguments: input }],
  },
};
