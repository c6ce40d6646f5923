import { chmodSync, mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { removeTree } from './remove-tree.ts';

/** A scratch directory of its own on the real disk; removed when the test that asked for it has ended. */
export const tempDir = (): string => {
  const path = makeTempDir();
  onTestFinished(() => removeTempDir(path));
  return path;
};

/** For `beforeAll` and scripts: the caller removes it. Its path is as short as one of a person's folders: screens show it, and shorten long ones. */
export const makeTempDir = (): string => realpathSync(mkdtempSync(join(tmpdir(), 't-')));

export const removeTempDir = (path: string): void => {
  try {
    removeTree(path);
  } catch {
    // A test took write permission away from a directory.
    unlock(path);
    removeTree(path);
  }
};

const unlock = (path: string): void => {
  chmodSync(path, 0o700);
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) unlock(join(path, entry.name));
};
