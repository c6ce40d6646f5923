import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { everyEvent, pageSession, writeSession } from '../helpers/page-session.ts';
import { cleanEnvironment, programFile, runJson, runProgram } from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openTerminal } from '../helpers/terminal.ts';

const workspaceWith = (...sessions: readonly string[]): string => {
  const workspace = tempDir();
  for (const session of sessions) writeSession(workspace, everyEvent(), session);
  return workspace;
};

test('`export` writes the sample as one page below 300 kB and as a summary, lists what it removed, and names what it wrote', async () => {
  const cwd = workspaceWith(pageSession);
  const { code, stdout, stderr } = await runProgram(
    ['export', pageSession, '--html', 'run.html', '--markdown', 'run.md'],
    { cwd },
  );
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toMatch(/^No secrets found\.\nWrote run\.html, \d+ kB\nWrote run\.md, \d+ kB\n$/);
  expect(statSync(join(cwd, 'run.html')).size).toBeLessThan(300_000);
  expect(readFileSync(join(cwd, 'run.html'), 'utf8')).toMatch(
    /^<!doctype html><html lang="en">[\s\S]*<\/html>$/,
  );
  expect(readFileSync(join(cwd, 'run.md'), 'utf8')).toContain('## Ship the greeter in four languages');
});

test('`export --json` prints the model, and an id may be `latest` or the beginning of one', async () => {
  const cwd = workspaceWith('260214-090000', pageSession);
  const newest = await runJson(['export', 'latest'], { cwd });
  expect(newest).toMatchObject({ format: 1, goal: 'Ship the greeter in four languages', structure: false });
  expect(await runJson(['export', '260215'], { cwd })).toEqual(newest);
  const { code, stderr } = await runProgram(['export', '2602', '--html', 'x.html'], { cwd });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `ralph-tui: "2602" matches 2 sessions: ${pageSession}, 260214-090000; type more of the id\n`,
  });
});

test('an export that cannot be written says why, exits with another code than 0 and leaves nothing behind', async () => {
  const cwd = workspaceWith(pageSession);
  mkdirSync(join(cwd, 'taken'));
  writeFileSync(join(cwd, 'old.html'), 'the old page');
  const before = readdirSync(cwd).sort();
  const run = (...args: readonly string[]) => runProgram(['export', ...args], { cwd });
  expect(await run()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no output was chosen'),
  });
  expect(await run('--html', 'taken')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not a regular file'),
  });
  expect(await run('--html', '/dev/stdout')).toMatchObject({ code: 2 });
  expect(await run('--html', 'none/run.html')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the directory none does not exist'),
  });
  expect(await run('--html', `.ralph-sessions/${pageSession}/run.html`)).toMatchObject({ code: 2 });
  // 8 blocks of 512 bytes: the disk is full in the middle of the page.
  const full = `ulimit -f 8; exec "$0" "$1" export --html old.html 2>&1`;
  let said = '';
  try {
    execFileSync('sh', ['-c', full, process.execPath, programFile], {
      cwd,
      env: cleanEnvironment(),
      encoding: 'utf8',
    });
  } catch (error) {
    said = String(error instanceof Error && 'stdout' in error ? error.stdout : error);
  }
  expect(said).toMatch(/old\.html: not written: /);
  expect(readFileSync(join(cwd, 'old.html'), 'utf8')).toBe('the old page');
  expect(readdirSync(cwd).sort()).toEqual(before);
  expect(existsSync('/dev/stdout')).toBe(true);
});

test('`V` counts all sessions on the screen as `statistics` does, and the last line can be reached', async () => {
  const cwd = workspaceWith('260214-090000', pageSession);
  const { stdout } = await runProgram(['statistics'], { cwd });
  const terminal = openTerminal(['replay', pageSession, '--speed', '32'], { cwd, columns: 100, rows: 30 });
  await terminal.waitFor(/Ship the greeter/);
  terminal.press('V');
  await terminal.waitFor(/Statistics for the sessions in this workspace/);
  await terminal.waitFor(/more below/);
  const [first = ''] = /\d+ of \d+, \d+%/.exec(stdout) ?? [];
  expect(terminal.screen()).toContain(first);
  const last = stdout.trimEnd().split('\n').at(-1)?.trim().split(/ {2,}/).at(-1) ?? '';
  terminal.press('G');
  await terminal.waitFor(/the end/);
  expect(terminal.screen()).toContain(last.slice(0, 40));
  terminal.kill('SIGTERM');
  await terminal.exit;
});
