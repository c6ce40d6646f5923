import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseScanFile } from '../../src/discovery/records/scan-file.ts';
import { runProgram, startProgram } from '../helpers/program.ts';
import { repositoryWith } from '../helpers/repository.ts';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import { tempDir } from '../helpers/temp-dir.ts';

/** A repository, and a command agent of the person that runs these lines with the prompt in $prompt. */
const withAgent = (...lines: readonly string[]) => {
  const agent = join(tempDir(), 'agent.sh');
  writeFileSync(agent, ['#!/bin/sh', 'prompt=$(cat)', ...lines, ''].join('\n'));
  chmodSync(agent, 0o755);
  return withConfigured(`{type: command, command: [${agent}]}`);
};

const withConfigured = (entry: string) => {
  const user = tempDir();
  mkdirSync(join(user, 'ralph-tui'));
  writeFileSync(join(user, 'ralph-tui/config.yaml'), `agents: {mine: ${entry}}\n`);
  const cwd = repositoryWith({ 'app.toml': 'root = "/home/zed/"\n', 'AGENTS.md': 'Use tabs.\n' });
  const env = { XDG_CONFIG_HOME: user, XDG_STATE_HOME: tempDir() };
  const scan = (...args: readonly string[]) =>
    runProgram(['scan', '--no-probes', '--explore', '--agent', 'mine', ...args], { cwd, env });
  const records = () => parseScanFile(readFileSync(join(cwd, '.ralph/constraint-scan.jsonl'), 'utf8')).value;
  const begin = () =>
    startProgram(['scan', '--no-probes', '--explore', '--agent', 'mine', '--yes'], { cwd, env });
  return { cwd, scan, begin, records };
};

test('explorers ask an agent five questions with our list of files, and their findings are aggregated', async () => {
  const { scan, records } = withAgent(
    'case "$prompt" in',
    '*"subject is memory"*) case "$prompt" in *\'"AGENTS.md"\'*)',
    `echo '{"severity":"HIGH","category":"rule","description":"Tabs are asked for","file":"AGENTS.md","confidence":1}'`,
    `echo '{"severity":"low","category":"guess","description":"Nowhere","file":"gone.md","confidence":1}'`,
    ';; esac ;; esac',
    `echo '{"findings": []}'`,
  );
  const { code, stderr } = await scan('--yes');
  expect(stderr).toContain('explorer-memory: 2 findings');
  expect(stderr).toContain('explorer-testing: 0 findings');
  expect(stderr).not.toContain('although it was only allowed to read');
  expect(code).toBe(0);
  const { metadata, findings } = records();
  expect(metadata?.sources).toHaveLength(6);
  expect(findings.map(({ source, confidence }) => [source, confidence])).toEqual([
    ['scanner', 1],
    ['explorer-memory', 0.8],
  ]);
  expect(metadata?.aggregation.below_threshold).toBe(1);
});

test('what an explorer changed although it was told to read is named', async () => {
  const { scan } = withAgent(
    'case "$prompt" in *"subject is memory"*)',
    'echo changed > AGENTS.md; echo new > new.txt; echo evil > .git/hooks/post-commit ;; esac',
    `echo '{"findings": []}'`,
  );
  const { stderr } = await scan('--yes');
  expect(stderr).toContain(
    'ralph-tui: changed while the agent was exploring, although it was only allowed to read: .git/hooks/post-commit, AGENTS.md, new.txt\n',
  );
});

test('an agent that speaks ACP explores, too', async () => {
  const said =
    '{"severity":"low","category":"rule","description":"Tabs","file":"AGENTS.md"}\n{"findings": []}';
  const agent = createScriptedAgent(tempDir(), {
    turns: [{ actions: [{ do: 'say', text: said }], again: true }],
  });
  const command = JSON.stringify([agent.command, ...agent.args]);
  const { scan, records } = withConfigured(`{type: acp, command: ${command}}`);
  const { code, stderr } = await scan('--yes');
  expect(stderr).toContain('explorer-memory: 1 finding\n');
  expect(code).toBe(0);
  expect(records().findings.filter(({ source }) => source.startsWith('explorer'))).toMatchObject([
    { description: 'Tabs', merged_with: { length: 5 } },
  ]);
});

test('an explorer that is late gives nothing and is gone; the others count', async () => {
  const pids = join(tempDir(), 'pids');
  const { scan, records } = withAgent(
    `case "$prompt" in *"subject is testing"*) trap '' TERM; echo $$ > ${pids}; sleep 60; sleep 60 ;; esac`,
    `echo '{"description":"Seen","category":"x","severity":"low","file":"AGENTS.md"}'`,
  );
  const { code, stderr } = await scan('--yes', '--timeout', '2s');
  expect(code).toBe(0);
  expect(stderr).toMatch(/explorer-testing: timed out, skipped \(scanner and 4 explorers are in\)/);
  expect(records().metadata?.status).toBe('partial');
  expect(existsSync(`/proc/${readFileSync(pids, 'utf8').trim()}`)).toBe(false);
});

test('what the agent would load from the repository is asked about first, and an unknown agent is a usage error', async () => {
  const { scan, cwd } = withAgent(`echo '{"findings": []}'`);
  const refused = await scan();
  expect(refused).toMatchObject({ code: 3 });
  expect(refused.stderr).toContain('AGENTS.md would be loaded by mine');
  expect((await scan('--agent', 'nobody')).code).toBe(2);
  expect(existsSync(join(cwd, '.ralph'))).toBe(false);
});

test('a scan that is interrupted leaves no explorer behind', async () => {
  const pids = join(tempDir(), 'pids');
  const { begin } = withAgent(`trap '' TERM; echo $$ >> ${pids}; sleep 60; sleep 60`);
  const program = begin();
  const started = (): readonly string[] =>
    existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n') : [];
  await expect.poll(() => started().length).toBe(5);
  program.kill('SIGINT');
  expect((await program.done).code).toBe(130);
  expect(started().filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
});
