import { chmodSync, existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from './remove-tree.ts';
import { isLongForm } from './test-form.ts';

/** A memory file system where there is one with room: a killed process, unlike a power loss, forgets nothing that it wrote there. */
const chooseMemory = (): string => {
  if (!existsSync('/dev/shm')) return tmpdir();
  const { bavail, bsize } = statfsSync('/dev/shm');
  // Containers often have 64 MB there, and each small file takes a page.
  return bavail * bsize > 2 ** 30 ? '/dev/shm' : tmpdir();
};

export const memoryRoot = chooseMemory();

/**
 * One folder for all scratch directories of a run of the tests, in memory: on a disk the flushes cost a tenth of the processor time of a session, and a
 * quarter of that of tests with git. The long form uses the disk. A worker is ended by a signal and cannot tidy up, so this process does when it
 * ends. Who sets TMPDIR has chosen; so has an earlier call, since vitest reads its configuration once a project.
 */
export const takeScratchOfRun = (): void => {
  if (process.env['TMPDIR'] !== undefined) return;
  const folder = mkdtempSync(join(isLongForm ? tmpdir() : memoryRoot, 'rt'));
  // Tests run programs as other users too.
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
  process.once('exit', () => removeTree(folder));
};
