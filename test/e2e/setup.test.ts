import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryWith } from '../helpers/repository.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openScreen } from '../helpers/terminal.ts';

test('the start screen offers to set a repository up, asks step by step, writes, and offers it no more', async () => {
  const cwd = repositoryWith({
    Makefile: 'test:\n\techo tested\n',
    'package.json': '{"name": "app", "scripts": {"lint": "true"}}',
    'package-lock.json': '{}',
  });
  const bin = tempDir();
  writeFileSync(join(bin, 'gemini'), '#!/bin/sh\nexit 1\n');
  chmodSync(join(bin, 'gemini'), 0o755);
  const terminal = openScreen([], {
    cwd,
    columns: 80,
    rows: 24,
    env: { PATH: `${bin}:/usr/bin:/bin`, XDG_STATE_HOME: tempDir() },
  });
  await terminal.waitFor(/│ +Set up +an agent per role/);
  terminal.type('\u0014');
  for (const question of [
    'Which agent does the work?',
    'Which models?',
    'What may agents do without asking?',
    'Where do tasks change files?',
  ]) {
    await terminal.waitFor(question);
    terminal.type('\r');
  }
  await terminal.waitFor('Which command prepares a new worktree?');
  await terminal.waitFor('npm ci');
  terminal.type('\r');
  await terminal.waitFor('Which command checks the work?');
  await terminal.waitFor('make test');
  terminal.type(' -k\r');
  await terminal.waitFor('Where are the issues?');
  terminal.type('jj\r');
  for (const question of ['Who reviews the plan for an issue?', 'Are pull requests merged automatically?']) {
    await terminal.waitFor(question);
    terminal.type('\r');
  }
  await terminal.waitFor('Write this?');
  terminal.type('\r');
  await terminal.waitFor('Written: .ralph/config.yaml and .gitignore.');
  expect(readFileSync(join(cwd, '.ralph/config.yaml'), 'utf8')).toContain('npm run lint && make test -k\n');
  expect(readFileSync(join(cwd, '.ralph/config.yaml'), 'utf8')).toContain('- npm ci\n');
  expect(readFileSync(join(cwd, '.ralph/config.yaml'), 'utf8')).toContain('tracker: markdown\n');
  await expect.poll(() => terminal.screen()).toContain('Start a session');
  expect(terminal.screen()).not.toMatch(/Set up +agents/);
  terminal.type('\u0003');
  await terminal.exit;
});
