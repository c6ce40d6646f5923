import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cleanEnvironment, programFile, runJson, runProgram, startProgram } from '../helpers/program.ts';
import { sized } from '../helpers/test-form.ts';
import {
  diamondPlan,
  onlySession,
  release,
  waitingPlan,
  workspaceWith,
  writeIn,
} from '../helpers/workspace.ts';
import { fullDisk } from './full-disk.ts';

test.each([
  ['a disk that is full', 'disk'],
  ['a journal that may not grow', 'journal'],
] as const)(
  'a session meets %s at any moment: it stops and says so, no file is cut off or ahead, and with room it goes on to the same end',
  async (_, what) => {
    const result = await fullDisk({ stride: sized({ short: 54, long: 9 }), what });
    expect(result.problems).toEqual([]);
    expect(result.stops).toBeGreaterThan(sized({ short: 4, long: 25 }));
  },
);

const sentence = /the disk is full; free some space/;

/** A file system of a megabyte, where this machine lets us mount one. */
const smallDisk = (): string | null => {
  const directory = join(workspaceWith({}), 'small');
  mkdirSync(directory);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory]).status !== 0) return null;
  onTestFinished(() => {
    spawnSync('umount', ['-l', directory]);
  });
  return directory;
};

const fill = (directory: string): string => {
  const file = join(directory, 'filler');
  for (const size of [4_096, 1])
    try {
      for (;;) writeFileSync(file, 'x'.repeat(size), { flag: 'a' });
    } catch {
      // Full, down to pieces of this size.
    }
  return file;
};

test('on a real disk that fills up the program ends with exit 1 and a sentence, refuses signals with one, and goes on when there is room', async (context) => {
  const workspace = smallDisk();
  if (workspace === null) return context.skip('this machine lets us mount nothing');
  writeIn(workspace, 'plan.yaml', waitingPlan);
  const program = startProgram(['run', '--plan', 'plan.yaml', '--json'], { cwd: workspace });
  onTestFinished(() => program.kill('SIGKILL'));
  await program.waitFor(/waiting for first/);
  const metadata = join(onlySession(workspace), 'metadata.yaml');
  const before = readFileSync(metadata, 'utf8');
  const filler = fill(workspace);
  const refused = await runProgram(['signal', 'INFO', 'hello there'], { cwd: workspace });
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(sentence) });
  release(workspace, 'first');
  const ended = await program.done;
  expect(ended.code).toBe(1);
  const events = ended.stdout.trimEnd().split('\n');
  expect(events.filter((line) => line.includes('"problem.found"')).join('\n')).toMatch(/"code":"disk-full"/);
  expect(events.at(-1)).toMatch(sentence);
  const after = readFileSync(metadata, 'utf8');
  expect(after === before || /^status: blocked$/m.test(after)).toBe(true);
  rmSync(filler);
  release(workspace, 'second');
  const resumed = await runProgram(['resume'], { cwd: workspace });
  expect(resumed.stdout).not.toMatch(/edited/);
  expect(resumed.code).toBe(0);
  expect(await runJson(['tasks'], { cwd: workspace })).toMatchObject([
    { id: 'first', status: 'done' },
    { id: 'second', status: 'done' },
  ]);
});

test('under a limit on the size of files the program ends with exit 1 and a sentence, and goes on without the limit', async () => {
  const workspace = workspaceWith({ 'plan.yaml': diamondPlan });
  const limited = spawnSync(
    'sh',
    [
      '-c',
      'ulimit -f 8; exec "$@"',
      'sh',
      process.execPath,
      programFile,
      'run',
      '--plan',
      'plan.yaml',
      '--yes',
    ],
    { cwd: workspace, env: cleanEnvironment(), encoding: 'utf8' },
  );
  expect(limited.status).toBe(1);
  expect(limited.stderr).toMatch(sentence);
  const resumed = await runProgram(['resume'], { cwd: workspace });
  expect(resumed.stdout).not.toMatch(/edited/);
  expect(resumed.code).toBe(0);
});
