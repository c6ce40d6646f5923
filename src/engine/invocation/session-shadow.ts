import { dirname, join } from 'node:path';
import { type Disk, diskCode, type FileStat } from '../../base/disk.ts';
import { namesIn } from '../../base/names-in.ts';

/** A second name, outside the workspace, for each file of the session: an agent that deletes them does not delete their bytes. */
export interface SessionShadow {
  /** Follows the session's files. Reads only directories that changed since the last call. */
  refresh(): void;
  /** Brings everything back if the journal or the lock vanished. Cheap enough to ask before each write. */
  mend(): void;
  /** Brings back what vanished since. Returns all that came back since the last call, relative to the session. */
  restore(): readonly string[];
}

/**
 * Hard links share the bytes with the session's own files, also those of the open journal and logs. Does nothing where links are impossible, as
 * on another disk. `place` is a private directory of this session.
 */
export const createSessionShadow = (disk: Disk, directory: string, place: string): SessionShadow => {
  const journal = join(directory, 'journal.jsonl');
  const restored: string[] = [];
  let isEmpty = true;
  /** Directories by relative path, with the time at which they were read. */
  const seen = new Map<string, { readonly mtimeMs: number; readonly below: readonly string[] }>();
  let isUsable = true;

  const follow = (relative: string): void => {
    const path = join(directory, relative);
    const stat = disk.lstat(path);
    if (stat?.kind !== 'directory') return;
    const known = seen.get(relative);
    if (known?.mtimeMs === stat.mtimeMs) {
      for (const name of known.below) follow(join(relative, name));
      return;
    }
    const below: string[] = [];
    const names = new Set(namesIn(disk, path));
    for (const name of names) {
      const inside = join(relative, name);
      const found = disk.lstat(join(directory, inside));
      if (found?.kind === 'directory') below.push(name);
      else if (found?.kind === 'file') linkFile(inside, found);
    }
    // A renamed or deleted file has no second name either.
    for (const name of disk.lstat(join(place, relative)) === null ? [] : namesIn(disk, join(place, relative)))
      if (!names.has(name) && disk.lstat(join(place, relative, name))?.kind === 'file')
        disk.unlink(join(place, relative, name));
    seen.set(relative, { mtimeMs: stat.mtimeMs, below });
    for (const name of below) follow(join(relative, name));
  };

  const linkFile = (relative: string, found: FileStat): void => {
    const to = join(place, relative);
    const old = disk.lstat(to);
    if (old?.ino === found.ino) return;
    if (old !== null) disk.unlink(to);
    disk.mkdir(dirname(to));
    disk.link(join(directory, relative), to);
  };

  const filesBelow = (relative: string): readonly string[] =>
    namesIn(disk, join(place, relative)).flatMap((name) => {
      const inside = relative === '' ? name : join(relative, name);
      return disk.lstat(join(place, inside))?.kind === 'directory' ? filesBelow(inside) : [inside];
    });

  // Deleting takes time, so one of the two may be back already.
  const isWiped = (): boolean =>
    disk.lstat(journal) === null || namesIn(disk, join(directory, 'lock')).length === 0;

  const bringBack = (counts: (path: string) => boolean): void => {
    for (const relative of seen.keys()) disk.mkdir(join(directory, relative));
    for (const path of filesBelow('')) {
      const to = join(directory, path);
      if (!counts(path) || disk.lstat(to) !== null) continue;
      try {
        disk.mkdir(dirname(to));
        disk.link(join(place, path), to);
        if (!restored.includes(path)) restored.push(path);
      } catch (error) {
        // The deletion may still go on. The next call brings back the rest.
        if (diskCode(error) === '') throw error;
      }
    }
  };

  return {
    refresh: () => {
      if (!isUsable) return;
      try {
        disk.mkdir(place);
        follow('');
        isEmpty = false;
      } catch (error) {
        if (diskCode(error) === '') throw error;
        isUsable = false;
      }
    },
    mend: () => {
      if (isUsable && !isEmpty && isWiped()) bringBack(() => true);
    },
    restore: () => {
      if (isUsable && !isEmpty) bringBack(isWiped() ? () => true : isSteady);
      return [...restored.splice(0)].toSorted();
    },
  };
};

/** Files that this program never moves or deletes. Signals and lessons change their place by themselves. */
const isSteady = (path: string): boolean => path.startsWith('logs/') || path === 'metadata.yaml';

/** No second names: for hosts without a place of their own. */
export const noShadow: SessionShadow = { refresh: () => {}, mend: () => {}, restore: () => [] };
