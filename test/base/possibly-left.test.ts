import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const spawn = createSpawn();
const marker = `left-${process.pid}/${Math.random()}`;

/** A line that leaves a process without its parent, its session, its environment and its directory, and writes its pid. */
const scrubbed = (pidFile: string, first = ''): string =>
  `cd / && env -i setsid /bin/sh -c '${first} echo $$ > ${pidFile}.new; mv ${pidFile}.new ${pidFile}; exec /bin/sleep 60' >/dev/null 2>&1 </dev/null &`;

const pidIn = async (file: string): Promise<number> => {
  await expect.poll(() => existsSync(file)).toBe(true);
  const pid = Number(readFileSync(file, 'utf8'));
  onTestFinished(() => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  });
  return pid;
};

/** The pid of what that line of a command of ours left. */
const left = async (line: (pidFile: string) => string, cwd = tempDir()): Promise<number> => {
  const file = join(tempDir(), 'pid');
  const env = { PATH: process.env['PATH'] ?? '' };
  await spawn.start({ command: line(file), cwd, env, marker }, { output: () => {} }).exit;
  return pidIn(file);
};

test.runIf(existsSync('/proc/self/limits'))(
  'a process that shed its environment, parent, session and directory is found by its marker and stopped',
  async () => {
    const pid = await left(scrubbed);
    expect(spawn.survivors(marker, tempDir())).toEqual({ marked: [pid], possibly: [] });
    expect(await spawn.stopMarked([marker], 1_000)).toEqual({ stopped: [pid], unverified: [] });
    expect(existsSync(`/proc/${pid}/cwd`)).toBe(false);
  },
);

test('a like process that another program left is neither named nor stopped, although it is in our control group', async () => {
  const file = join(tempDir(), 'pid');
  execFileSync('/bin/sh', ['-c', scrubbed(file)]);
  const pid = await pidIn(file);
  expect(spawn.possiblyLeft(tempDir())).not.toContain(pid);
  expect((await spawn.stopMarked([marker], 100)).stopped).not.toContain(pid);
});

test.runIf(existsSync('/proc/self/limits'))(
  'one that set its limits anew as well is named while it works in the workspace',
  async () => {
    const workspace = tempDir();
    writeFileSync(join(workspace, 'log'), '');
    const anew = (file: string): string =>
      scrubbed(file, `ulimit -S -m unlimited; exec 3> ${workspace}/log;`);
    const pid = await left(anew, workspace);
    expect(spawn.survivors(marker, workspace)).toEqual({ marked: [], possibly: [pid] });
    expect(spawn.possiblyLeft(tempDir())).not.toContain(pid);
  },
);
