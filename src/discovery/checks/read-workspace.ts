import { basename, join } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { readText } from '../../base/replace-file.ts';
import type { WorkspaceFacts } from './facts.ts';

const manifests = [
  'package.json',
  'Makefile',
  'makefile',
  'GNUmakefile',
  'Cargo.toml',
  'go.mod',
  'pyproject.toml',
  'setup.cfg',
  'tox.ini',
  'requirements.txt',
  'requirements-dev.txt',
];

/** Reads the names at the workspace's root and the texts of its manifests, each at most 1 MB. Runs nothing and follows no links. */
export const readWorkspace = (disk: Disk, workspace: string): WorkspaceFacts => {
  const names = new Set(attempt(() => disk.readdir(workspace)) ?? []);
  const texts = new Map<string, string>();
  for (const name of manifests) {
    const text = names.has(name) ? attempt(() => readText(disk, join(workspace, name), 1_048_576)) : null;
    if (text !== null) texts.set(name, text);
  }
  return { name: basename(workspace), names, texts };
};

/** An unreadable file has no checks. The user can still pass a plan file. */
const attempt = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch {
    return null;
  }
};
