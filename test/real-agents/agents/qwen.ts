import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RealAgent } from './real-agent.ts';

/** Its tools take absolute paths only. */
const fileOf = (workspace: string, path: string): string =>
  workspace === '' ? `{cwd}/${path}` : resolve(workspace, path);

export const qwen: RealAgent = {
  name: 'qwen',
  packages: { '@qwen-code/qwen-code': '0.24.4' },
  flags: ['--omit=optional', '--ignore-scripts'],
  entry: 'node_modules/@qwen-code/qwen-code/cli-entry.js',
  args: ['--acp'],
  optIn: true,
  settle: (home, modelUrl) => {
    mkdirSync(join(home, '.qwen'), { recursive: true });
    writeFileSync(
      join(home, '.qwen', 'settings.json'),
      JSON.stringify({
        security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { disableAutoUpdate: true, enableAutoUpdate: false },
        model: { name: 'scripted' },
        // All three ask the model beside the conversation.
        ui: { enableFollowupSuggestions: false },
        memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
      }),
    );
    return {
      OPENAI_API_KEY: 'dummy',
      OPENAI_BASE_URL: `${modelUrl}/v1`,
      OPENAI_MODEL: 'scripted',
    };
  },
  endsAtRejection: true,
  toolAsk: 'other',
  reachedBy: 'with the result of a ralph-tui tool',
  usage: /^\d+ tokens in, \d+ out; cost not reported/,
  hand: {
    shell: (command) => ({
      tool: 'run_shell_command',
      arguments: { command, description: 'a test', is_background: false },
    }),
    look: (command) => ({
      tool: 'run_shell_command',
      arguments: { command, description: 'a test', is_background: false },
    }),
    read: (workspace, path) => ({ tool: 'read_file', arguments: { file_path: fileOf(workspace, path) } }),
    fetch: (url) => ({
      tool: 'tool_call',
      arguments: { name: 'web_fetch', arguments: { url, prompt: 'Read it' } },
    }),
    edit: (workspace, path, was, becomes) => [
      { tool: 'read_file', arguments: { file_path: fileOf(workspace, path) } },
      {
        tool: 'edit',
        arguments: { file_path: fileOf(workspace, path), old_string: was, new_string: becomes },
      },
    ],
    create: (workspace, path, line) => ({
      tool: 'write_file',
      arguments: { file_path: fileOf(workspace, path), content: `${line}\n` },
    }),
    ours: (tool, input) => [
      { tool: 'tool_search', arguments: { query: `ralph ${tool}` } },
      { tool: 'tool_call', arguments: { name: `mcp__ralph__${tool}`, arguments: input } },
    ],
  },
};
