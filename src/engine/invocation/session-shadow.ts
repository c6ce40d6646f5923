import { dirname, join } from 'node:path';
import { type Disk, diskCode, type FileStat } from '../../base/disk.ts';
import { namesIn } from '../../base/names-in.ts';

/** A second name, outside the workspace, for each file of the session: an agent that deletes them does not delete their bytes. */
export interface SessionShadow {
  /** Follows the session's files while no agent works. Reads only directories that changed since the last call. */
  refresh(): void;
  /** Follows new and replaced files while agents work; what is missing now may have been deleted, so it keeps its second name. */
  grow(): void;
  /** Brings everything back if the journal or the lock vanished. Cheap enough to ask before each write. */
  repair(): void;
  /** Brings back what vanished since. Returns all that came back since the last call, relative to the session. */
  restore(): readonly string[];
}

interface State {
  readonly disk: Disk;
  /** The session's directory, and the one for the second names. */
  readonly directory: string;
  readonly place: string;
  /** Directories by relative path, with the time at which they were read. */
  readonly seen: Map<string, Seen>;
  /** What came back since the last call of `restore`. */
  readonly restored: string[];
  isEmpty: boolean;
  isUsable: boolean;
}

/**
 * Hard links share the bytes with the session's own files, also those of the open journal and logs. Does nothing where links are impossible, as
 * on another disk. `place` is a private directory of this session.
 */
export const createSessionShadow = (disk: Disk, directory: string, place: string): SessionShadow => {
  const state: State = {
    disk,
    directory,
    place,
    seen: new Map(),
    restored: [],
    isEmpty: true,
    isUsable: true,
  };
  const isFilled = (): boolean => state.isUsable && !state.isEmpty;
  return {
    refresh: () => followAll(state, false),
    grow: () => {
      if (!state.isEmpty) followAll(state, true);
    },
    repair: () => {
      if (isFilled() && isWiped(state)) bringBack(state, () => true);
    },
    restore: () => {
      if (isFilled()) bringBack(state, isWiped(state) ? () => true : isSteady);
      return state.restored.splice(0).toSorted();
    },
  };
};

const followAll = (state: State, grown: boolean): void => {
  if (!state.isUsable) return;
  try {
    state.disk.mkdir(state.place);
    follow(state, '', grown);
    state.isEmpty = false;
  } catch (error) {
    if (diskCode(error) === '') throw error;
    // While agents work a file may vanish between two looks.
    state.isUsable = grown;
  }
};

const follow = (state: State, relative: string, grown: boolean): void => {
  const { disk, directory, seen } = state;
  const path = join(directory, relative);
  const stat = disk.lstat(path);
  if (stat?.kind !== 'directory') return;
  const known = seen.get(relative);
  if (known?.mtimeMs === stat.mtimeMs && (grown || !known.grown)) {
    for (const name of known.below) follow(state, join(relative, name), grown);
    return;
  }
  const below: string[] = [];
  const names = new Set(namesIn(disk, path));
  for (const name of names) {
    const inside = join(relative, name);
    const found = disk.lstat(join(directory, inside));
    if (found?.kind === 'directory') below.push(name);
    else if (found?.kind === 'file') linkFile(state, inside, found);
  }
  if (!grown) dropRenamed(state, relative, names);
  seen.set(relative, { mtimeMs: stat.mtimeMs, below, grown });
  for (const name of below) follow(state, join(relative, name), grown);
};

const linkFile = ({ disk, directory, place }: State, relative: string, found: FileStat): void => {
  const to = join(place, relative);
  const old = disk.lstat(to);
  if (old?.ino === found.ino) return;
  if (old !== null) disk.unlink(to);
  disk.mkdir(dirname(to));
  disk.link(join(directory, relative), to);
};

/** A renamed or deleted file has no second name either. */
const dropRenamed = ({ disk, place }: State, relative: string, names: ReadonlySet<string>): void => {
  const second = join(place, relative);
  for (const name of disk.lstat(second) === null ? [] : namesIn(disk, second))
    if (!names.has(name) && disk.lstat(join(second, name))?.kind === 'file') disk.unlink(join(second, name));
};

/** Deleting takes time, so one of the two may be back already. The heartbeat beside the lock may be left or written again. */
const isWiped = ({ disk, directory }: State): boolean =>
  disk.lstat(join(directory, 'journal.jsonl')) === null ||
  !namesIn(disk, join(directory, 'lock')).some((name) => /^\d/.test(name));

const bringBack = (state: State, counts: (path: string) => boolean): void => {
  const { disk, directory, place, seen, restored } = state;
  for (const relative of seen.keys()) disk.mkdir(join(directory, relative));
  for (const path of filesBelow(state, '')) {
    const to = join(directory, path);
    if (!counts(path) || disk.lstat(to) !== null) continue;
    try {
      disk.mkdir(dirname(to));
      disk.link(join(place, path), to);
      if (!restored.includes(path)) restored.push(path);
    } catch (error) {
      // The deletion may still be running. The next call brings back the rest.
      if (diskCode(error) === '') throw error;
    }
  }
};

const filesBelow = (state: State, relative: string): readonly string[] =>
  namesIn(state.disk, join(state.place, relative)).flatMap((name) => {
    const inside = relative === '' ? name : join(relative, name);
    const isDirectory = state.disk.lstat(join(state.place, inside))?.kind === 'directory';
    return isDirectory ? filesBelow(state, inside) : [inside];
  });

interface Seen {
  readonly mtimeMs: number;
  readonly below: readonly string[];
  /** Second names of missing files were kept. */
  readonly grown: boolean;
}

/** Files that this program never moves or deletes. Signals and lessons change their place by themselves. */
const isSteady = (path: string): boolean => path.startsWith('logs/') || path === 'metadata.yaml';

/** How often the lock is looked for again while somebody deletes it. */
const mostLooks = 5;

/** Whether the session is still ours, after bringing back what vanished. An agent may delete the lock again before we look: a new holder stays. */
export const isStillHeld = (
  shadow: Pick<SessionShadow, 'repair'>,
  lock: { readonly isStillOurs: () => boolean },
): boolean => {
  for (let look = 0; look < mostLooks; look += 1) {
    shadow.repair();
    if (lock.isStillOurs()) return true;
  }
  return false;
};

/** No second names: for hosts without a place of their own. */
export const noShadow: SessionShadow = {
  refresh: () => {},
  grow: () => {},
  repair: () => {},
  restore: () => [],
};
