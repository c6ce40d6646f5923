import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RealAgent } from './real-agent.ts';

export const gemini: RealAgent = {
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
  endsAtRejection: false,
  toolAsk: 'other',
  reachedBy: 'with the result of a ralph-tui tool',
  usage: /^\d+ tokens in, \d+ out; cost not reported/,
  hand: {
    shell: (command) => ({ tool: 'run_shell_command', arguments: { command, description: 'a test' } }),
    look: (command) => ({ tool: 'run_shell_command', arguments: { command, description: 'a test' } }),
    read: (workspace, path) => ({ tool: 'read_file', arguments: { file_path: join(workspace, path) } }),
    fetch: (url) => ({ tool: 'web_fetch', arguments: { prompt: `Read ${url}` } }),
    edit: (workspace, path, was, becomes) => [
      {
        tool: 'replace',
        arguments: {
          file_path: join(workspace, path),
          instruction: 'a test',
          old_string: was,
          new_string: becomes,
        },
      },
    ],
    create: (workspace, path, line) => ({
      tool: 'write_file',
      arguments: { file_path: workspace === '' ? path : resolve(workspace, path), content: `${line}\n` },
    }),
    ours: (tool, input) => [{ tool, arguments: input }],
  },
};
