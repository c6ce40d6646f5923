import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScriptedAgent } from './scripted-agent/scripted-agent.ts';
import { tempDir } from './temp-dir.ts';

/** An agent that asks whether it may make `made.txt`, makes it when it may, and says that it is done. */
export const createAskingAgent = () =>
  createScriptedAgent(tempDir(), {
    turns: [
      {
        actions: [
          {
            do: 'permission',
            toolCall: {
              toolCallId: 'c1',
              title: 'make the file',
              kind: 'execute',
              status: 'pending',
              rawInput: { command: 'touch made.txt' },
            },
            allowed: [{ do: 'write', path: 'made.txt', text: 'made\n' }],
          },
          { do: 'say', text: done },
        ],
      },
    ],
  });

const done = JSON.stringify({ status: 'completed', summary: ['Made it.'], files_modified: ['made.txt'] });

/** A person's configuration in which this agent, `mine`, does the tasks and no gate asks: the directory for XDG_CONFIG_HOME. */
export const configFor = (
  agent: { readonly command: string; readonly args: readonly string[] },
  settings: Readonly<Record<string, unknown>> = {},
): string => {
  const config = tempDir();
  mkdirSync(join(config, 'ralph-tui'));
  writeFileSync(
    join(config, 'ralph-tui', 'config.yaml'),
    JSON.stringify({
      agents: { mine: { type: 'acp', command: [agent.command, ...agent.args] } },
      roles: { executor: 'mine' },
      gates: [],
      ...settings,
    }),
  );
  return config;
};
