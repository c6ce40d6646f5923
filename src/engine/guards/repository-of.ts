import { dirname, join, resolve } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { readText } from '../../base/replace-file.ts';

/** The work tree that holds a directory, found without a process, and the directory of its index. `null`: there is none. */
export const repositoryOf = (
  disk: Disk,
  directory: string,
): { readonly root: string; readonly git: string } | null => {
  for (let root = directory; ; root = dirname(root)) {
    const git = join(root, '.git');
    const kind = disk.lstat(git)?.kind;
    if (kind === 'directory') return { root, git };
    const named =
      kind === 'file' ? /^gitdir: (.+)$/mu.exec(readText(disk, git, 4_096) ?? '')?.[1] : undefined;
    if (named !== undefined) return { root, git: resolve(root, named) };
    if (kind !== undefined || dirname(root) === root) return null;
  }
};

/** The directory that holds `config` and `hooks`: for a linked worktree that of the main one. `git`: of the index. */
export const commonDirectory = (disk: Disk, git: string): string => {
  const file = join(git, 'commondir');
  const common = disk.lstat(file) === null ? undefined : readText(disk, file, 4_096)?.trim();
  return common ? resolve(git, common) : git;
};
