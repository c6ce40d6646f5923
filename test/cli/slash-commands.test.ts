import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createShell } from '../helpers/shell.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const claude = '.claude/commands/ralph-draft-idea.md';
const gemini = '.gemini/commands/ralph-draft-idea.toml';
const codex = 'prompts/ralph-draft-idea.md';

test('init --commands writes a command for each skill and agent, again the same ones, and removes them', async () => {
  const { cwd, run } = createShell();
  const home = tempDir();
  const env = { CODEX_HOME: home };
  const { code, out } = await run(['init', '--commands'], env);
  expect(code).toBe(0);
  expect(out.split('\n').length % 3).toBe(0);
  expect(readFileSync(join(cwd, claude), 'utf8')).toMatch(
    /^---\ndescription: "Captures an idea[\s\S]*ralph-tui skill draft-idea "\$ARGUMENTS"/,
  );
  expect(readFileSync(join(cwd, gemini), 'utf8')).toMatch(
    /^description = "Captures[\s\S]*\{\{args\}\}[\s\S]*'''\n$/,
  );
  expect(readFileSync(join(home, codex), 'utf8')).toContain('ralph-tui skill draft-idea');
  const before = readFileSync(join(cwd, claude), 'utf8');
  await run(['init', '--commands'], env);
  expect(readFileSync(join(cwd, claude), 'utf8')).toBe(before);
  await run(['init', '--commands', '--remove'], env);
  expect([
    existsSync(join(cwd, claude)),
    existsSync(join(cwd, gemini)),
    existsSync(join(home, codex)),
  ]).toEqual([false, false, false]);
  expect((await run(['init', '--commands', '--remove'], env)).out).toBe(
    'There are no ralph-tui commands here.',
  );
  const { out: nothing } = await run(['init', '--commands', '--remove', '--json'], env);
  expect(JSON.parse(nothing)).toEqual({ removed: [], kept: [] });
});

test('a file of the same name that is not ours stays, in both ways', async () => {
  const { cwd, run } = createShell({ [claude]: 'mine' });
  for (const more of [[], ['--remove']]) {
    const { notes } = await run(['init', '--commands', ...more], { CODEX_HOME: tempDir() });
    expect(notes).toBe(
      `ralph-tui: ${join(cwd, claude)} was not written by ralph-tui, so it was left unchanged`,
    );
    expect(readFileSync(join(cwd, claude), 'utf8')).toBe('mine');
  }
});

test('nothing is written through a folder that leads out of the repository', async () => {
  const { cwd, run } = createShell();
  const outside = tempDir();
  mkdirSync(join(outside, 'commands'));
  symlinkSync(outside, join(cwd, '.claude'));
  const { code, notes } = await run(['init', '--commands'], { CODEX_HOME: tempDir() });
  expect([code, notes]).toEqual([1, expect.stringContaining('points outside its folder')]);
  writeFileSync(join(outside, 'x'), '');
  expect(existsSync(join(outside, 'commands/ralph-draft-idea.md'))).toBe(false);
});
