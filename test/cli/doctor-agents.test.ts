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

test('an agent whose adapter is missing is found, and not "not installed"', async () => {
  const { run } = createShell();
  const env = { PATH: pathWith('claude', 'codex') };
  const words = (await run(['doctor'], env)).out.replaceAll(/\s+/g, ' ');
  expect(words).toMatch(
    /Claude Code is found in \S+\/claude, adapter missing: npm install -g @agentclientprotocol/,
  );
  expect(words).toMatch(/Codex[^·]* is found in \S+\/codex, adapter missing: npm install/);
  expect(words).toMatch(
    /^.*note agent claude Claude Code is found.*note agent codex|note agent codex.*note agent claude/,
  );
  expect(words).toContain('its print mode can be used, as an agent of type command');
  expect(words).toContain('no agent can be started');
  const refused = await run(['run', 'Do it', '--agent', 'claude', '--headless', '--yes'], env);
  expect(refused.notes).toMatch(
    /Claude Code is found in \S+\/claude, adapter missing: claude-agent-acp was not found/,
  );
  expect((await run(['run', 'Do it', '--headless', '--yes'], env)).notes).toContain('adapter missing');
});
