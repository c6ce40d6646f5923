import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createShell } from '../helpers/shell.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const pathWith = (...programs: readonly string[]): string => {
  const directory = join(tempDir(), 'bin');
  mkdirSync(directory);
  for (const program of programs) {
    writeFileSync(join(directory, program), '#!/bin/sh\n');
    chmodSync(join(directory, program), 0o755);
  }
  return directory;
};

test('doctor without an agent does not call the agents ok', async () => {
  const { run } = createShell();
  const { out } = await run(['doctor'], { PATH: pathWith() });
  expect(out).toMatch(/^note +agents/m);
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    'no agent is installed, so only the commands of plans can run',
  );
  expect((await run(['doctor'], { PATH: pathWith('gemini') })).out).toMatch(/^ok +agents/m);
});

test('an agent without its adapter is used in its print mode, with one row in doctor that says what that lacks', async () => {
  const { run } = createShell();
  const env = { PATH: pathWith('claude', 'codex') };
  const words = (await run(['doctor'], env)).out.replaceAll(/\s+/g, ' ');
  expect(words).toMatch(/agents script \(runs the commands of plans\) · codex · claude|· claude · codex/);
  expect(words).toMatch(
    /note agent claude Claude Code in its print mode, login: not checked, in \S+\/claude (?:.*?)a message reaches it only after its reply/,
  );
  expect(words).toMatch(/note agent codex Codex in its print mode, login: not checked, in \S+\/codex/);
  expect(words.match(/agent claude/g)).toHaveLength(1);
  expect(words).toContain('its adapter changes that: npm install -g @agentclientprotocol/claude-agent-acp');
  expect(words).not.toContain('not installed: npm install -g @agentclientprotocol');
});

test('with its adapter, an agent keeps all it can do; an entry of the configuration counts before its print mode', async () => {
  const { run } = createShell({ '.ralph/config.yaml': 'agents: {codex: {type: acp, profile: codex}}\n' });
  const env = { PATH: pathWith('claude', 'claude-agent-acp', 'codex') };
  const words = (await run(['doctor'], env)).out.replaceAll(/\s+/g, ' ');
  expect(words).toMatch(/ok agent claude Claude Code, login: not checked, in \S+\/claude-agent-acp/);
  expect(words).toMatch(/Codex is found in \S+\/codex, adapter missing: npm install/);
});

test('a hand-written server that displaces the tools of a session is named with its mend', async () => {
  const { run, cwd } = createShell({
    'codex/config.toml': '[ mcp_servers . "ralph" ]\ncommand = "ralph-tui"\n',
  });
  const env = { PATH: pathWith('codex-acp'), CODEX_HOME: join(cwd, 'codex') };
  const words = (await run(['doctor'], env)).out.replaceAll(/\s+/g, ' ');
  expect(words).toMatch(/wrong agent codex .*\[mcp_servers\.ralph\] in \S+config\.toml displaces the tools/);
  expect(words).toContain('rename that table to [mcp_servers.ralph-tui]');
  writeFileSync(join(cwd, 'codex/config.toml'), '[mcp_servers.ralph-tui]\n[mcp_servers.ralphs]\n');
  expect((await run(['doctor'], env)).out).toMatch(/^ok +agent codex/m);
});
