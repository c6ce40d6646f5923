import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findPossiblyLeft } from '../../src/base/process/possibly-left.io.ts';
import { tempDir } from '../helpers/temp-dir.ts';

/** A process that has shed its parent, its session, its environment and its directory; its pid. */
const scrubbed = async (): Promise<number> => {
  const file = join(tempDir(), 'pid');
  const daemon = `cd / && env -i setsid /bin/sh -c 'echo $$ > ${file}; exec /bin/sleep 60' >/dev/null 2>&1 </dev/null &`;
  execFileSync('/bin/sh', ['-c', daemon]);
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8').trim()).toMatch(/^\d+$/);
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

test.runIf(existsSync('/proc/self/cgroup'))(
  'a process that has shed its environment and its directory is named, as one that may be left',
  async () => {
    const pid = await scrubbed();
    await expect.poll(() => findPossiblyLeft(tempDir())).toContain(pid);
  },
);

test.runIf(existsSync('/proc/self/cgroup'))(
  'an orphan that ends within the moment of the look is not named',
  async () => {
    const file = join(tempDir(), 'pid');
    const many = spawn('/bin/sh', ['-c', `echo $$ > ${file}; while :; do (sleep 0.005 &); done`], {
      cwd: '/',
      env: {},
      stdio: 'ignore',
      detached: true,
    });
    onTestFinished(() => void process.kill(-Number(many.pid), 'SIGKILL'));
    await expect.poll(() => existsSync(file)).toBe(true);
    const looks = Array.from({ length: 20 }, () => findPossiblyLeft('/nowhere'));
    // On a busy machine one may live for longer; a single look would name some each time.
    expect(looks.filter((named) => named.length === 0).length).toBeGreaterThan(5);
  },
);
