import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../helpers/program.ts';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openTerminal } from '../helpers/terminal.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const plan = `goal: Make it
tasks:
  - id: make
    title: Make the file
    files: [made.txt]
    verify: ["test -f made.txt"]
`;

const done = JSON.stringify({ status: 'completed', summary: ['Made it.'], files_modified: ['made.txt'] });

test('a permission waits in the queue with its command and directory; a second program cannot answer it, a key on the screen does', async () => {
  const agent = createScriptedAgent(tempDir(), {
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
  const config = tempDir();
  mkdirSync(join(config, 'ralph-tui'));
  writeFileSync(
    join(config, 'ralph-tui', 'config.yaml'),
    JSON.stringify({
      agents: { mine: { type: 'acp', command: [agent.command, ...agent.args] } },
      roles: { executor: 'mine' },
      gates: [],
    }),
  );
  const env = { XDG_CONFIG_HOME: config };
  const workspace = workspaceWith({ 'plan.yaml': plan });
  const terminal = openTerminal(['run', '--plan', 'plan.yaml'], {
    cwd: workspace,
    columns: 120,
    rows: 36,
    env,
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('Needs you (1)');
  const refused = await runProgram(['answer', 'permission:Executor-2:1', 'yes'], { cwd: workspace, env });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('hosting screen only');
  terminal.press('u');
  await terminal.waitFor(
    (screen) => screen.includes(`│ In       ${workspace} `) && screen.includes('│ Command  touch made.txt '),
  );
  expect(existsSync(join(workspace, 'made.txt'))).toBe(false);
  terminal.press('1');
  await terminal.waitFor('allowed once');
  await terminal.waitFor('1 of 1 done');
  expect(existsSync(join(workspace, 'made.txt'))).toBe(true);
});
