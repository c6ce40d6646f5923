import { dirname, join, relative, resolve } from 'node:path';
import { type Disk, diskCode } from '../../base/disk.ts';
import { readText } from '../../base/replace-file.ts';

/** Where a directory is in its repository, as git lays its files out (gitrepository-layout(5)). All absolute but `prefix`. */
export interface GitPlace {
  readonly gitDir: string;
  /** The directory that all work trees share. */
  readonly commonDir: string;
  /** The directory below the root of the work tree: '' or `packages/app/`. */
  readonly prefix: string;
}

/** Finds the repository of a directory by its files; `null` for a layout that only git can tell. Starts no program. */
export const gitPlace = (disk: Disk, directory: string): GitPlace | null => {
  for (let root = directory; ; root = dirname(root)) {
    const dot = join(root, '.git');
    const kind = disk.lstat(dot)?.kind;
    if (kind === 'directory' || kind === 'file') {
      const gitDir = kind === 'directory' ? dot : linked(root, text(disk, dot));
      if (gitDir === null || text(disk, join(gitDir, 'HEAD')) === null) return null;
      const common = text(disk, join(gitDir, 'commondir'))?.trim();
      const below = relative(root, directory);
      return {
        gitDir,
        commonDir: common === undefined ? gitDir : resolve(gitDir, common),
        prefix: below === '' ? '' : `${below}/`,
      };
    }
    if (kind !== undefined || dirname(root) === root) return null;
  }
};

/** Whether a configuration that git reads here may set `core.hooksPath`, itself or by another file. */
export const maySetHooks = (
  disk: Disk,
  { gitDir, commonDir }: GitPlace,
  env: Readonly<Record<string, string | undefined>>,
): boolean => {
  const home = env['HOME'] ?? '/';
  const files = [
    join(commonDir, 'config'),
    join(gitDir, 'config.worktree'),
    join(home, '.gitconfig'),
    join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'git/config'),
    '/etc/gitconfig',
  ];
  return files.some((file) => /hookspath|include/i.test(text(disk, file) ?? ''));
};

const linked = (root: string, content: string | null): string | null => {
  const named = /^gitdir: (.+)$/m.exec(content ?? '')?.[1];
  return named === undefined ? null : resolve(root, named.trim());
};

const text = (disk: Disk, path: string): string | null => {
  try {
    return readText(disk, path, 1_048_576);
  } catch (error) {
    if (diskCode(error) !== '') return null;
    throw error;
  }
};
