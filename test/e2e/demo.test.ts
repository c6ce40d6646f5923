import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram, startProgram } from '../helpers/program.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import { git } from '../helpers/repository.ts';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { onlySession } from '../helpers/workspace.ts';

test('the demo runs by itself without a terminal: an agent that costs, one retry, each criterion checked, exit 0', async () => {
  const result = await runProgram(['demo'], { cwd: tempDir() });
  const workspace = /The sample project is in (\S+)/.exec(result.stdout)?.[1] ?? '';
  try {
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toMatch(/html failed: /);
    expect(result.stdout).toMatch(/html done, attempt 2/);
    expect(result.stdout).toMatch(/lessons carried over to the next iteration/);
    expect(result.stdout).toMatch(/Edit tools\/render-html\.js/);
    expect(result.stdout).toMatch(/notes: refused: git tag notes-for-translators/);
    expect(result.stdout).toMatch(/used {5}\$0\.12/);
    expect(result.stdout.trimEnd().endsWith('Now yours: `cd your-repository && ralph-tui`')).toBe(true);
    const [branch = ''] = /ralph\/\d{6}-\d{6}/.exec(result.stdout) ?? [];
    expect(git(workspace, 'show', `${branch}:build/greetings.html`)).toContain('&amp;');
    const reports = join(onlySession(workspace), 'iterations/1/reports');
    const reviewed = readdirSync(reports).map(
      (name) => readFileSync(join(reports, name), 'utf8').split('PART 2')[1],
    );
    expect(reviewed).toHaveLength(11);
    expect(reviewed.filter((review) => /not checked/i.test(review ?? 'not checked'))).toEqual([]);
  } finally {
    if (workspace !== '') removeTree(workspace);
  }
});

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
    stderr: expect.stringMatching(
      /unknown agent "nobody"; known: script \(runs the commands of a plan\), .*gemini, codex/,
    ),
  });
  expect(await runProgram(['demo', '--agent', 'codex'], { cwd, env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Codex is not installed'),
  });
});
