import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RealAgent } from './real-agent.ts';

export const opencode: RealAgent = {
  name: 'opencode',
  packages: { 'opencode-ai': '1.18.33' },
  flags: ['--ignore-scripts'],
  // Its own start file is written by an install script.
  entry: `node_modules/opencode-${process.platform}-${process.arch}/bin/opencode`,
  args: ['acp'],
  optIn: true,
  settle: (home, modelUrl) => {
    const config = join(home, '.config', 'opencode');
    mkdirSync(config, { recursive: true });
    writeFileSync(
      join(config, 'opencode.json'),
      JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        model: 'scripted/model',
        small_model: 'scripted/model',
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            name: 'scripted',
            options: { baseURL: `${modelUrl}/v1`, apiKey: 'dummy' },
            models: { model: { name: 'model', limit: { context: 200_000, output: 8_000 } } },
          },
        },
      }),
    );
    return {
      XDG_CONFIG_HOME: join(home, '.config'),
      XDG_DATA_HOME: join(home, '.local', 'share'),
      XDG_STATE_HOME: join(home, '.local', 'state'),
      XDG_CACHE_HOME: join(home, '.cache'),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_SHARE: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    };
  },
  endsAtRejection: true,
  toolAsk: null,
  reachedBy: 'as a second prompt',
  usage: /^\d+ tokens in, \d+ out; .*/,
  hand: {
    shell: (command) => ({ tool: 'bash', arguments: { command, description: 'a test' } }),
    look: (command) => ({ tool: 'bash', arguments: { command, description: 'a test' } }),
    read: (workspace, path) => ({ tool: 'read', arguments: { filePath: join(workspace, path) } }),
    fetch: (url) => ({ tool: 'webfetch', arguments: { url, format: 'text' } }),
    edit: (workspace, path, was, becomes) => [
      { tool: 'read', arguments: { filePath: join(workspace, path) } },
      {
        tool: 'edit',
        arguments: { filePath: join(workspace, path), oldString: was, newString: becomes },
      },
    ],
    create: (workspace, path, line) => ({
      tool: 'write',
      arguments: { filePath: workspace === '' ? path : resolve(workspace, path), content: `${line}\n` },
    }),
    ours: (tool, input) => [{ tool, arguments: input }],
  },
};
