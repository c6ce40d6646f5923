import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram, startProgram } from '../helpers/program.ts';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import { tempDir } from '../helpers/temp-dir.ts';

test('demo --agent gives the work on the sample to that agent, and refuses one that is unknown or absent', async () => {
  const agent = createScriptedAgent(tempDir(), { turns: [{ actions: [{ do: 'hang' }] }] });
  const config = tempDir();
  mkdirSync(join(config, 'ralph-tui'));
  const agents = { mine: { type: 'acp', command: [agent.command, ...agent.args] } };
  writeFileSync(join(config, 'ralph-tui', 'config.yaml'), JSON.stringify({ agents }));
  const env = { XDG_CONFIG_HOME: config };
  const cwd = tempDir();
  const demo = startProgram(['demo', '--agent', 'mine', '--permissions', 'workspace', '--json'], {
    cwd,
    env: { ...env, TMPDIR: cwd },
  });
  onTestFinished(() => demo.kill('SIGKILL'));
  await demo.waitFor(/"type":"invocation.started"[^\n]*"mode":"IMPLEMENT"[^\n]*"backend":"mine"/);
  await agent.until('turn');
  demo.kill('SIGTERM');
  await demo.done;
  expect(await runProgram(['demo', '--agent', 'nobody'], { cwd, env })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/unknown agent "nobody"; known are: script, .*gemini, codex/),
  });
  expect(await runProgram(['demo', '--agent', 'codex'], { cwd, env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Codex is not installed'),
  });
});
