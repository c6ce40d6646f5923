import { execFileSync } from 'node:child_process';
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
