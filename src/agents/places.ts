import { isAbsolute } from 'node:path';
import { type Disk, diskCode } from '../base/disk.ts';
import { entryBelow, loadedByAny, loadedEntry } from './loaded-files.ts';
import { realPath } from './real-path.ts';

/** A place that an agent's request names, as it really is. */
export interface Place {
  /** Absolute, as the agent named it. */
  readonly path: string;
  /** Relative to the place of work, where it is in it; else as in `path`. Worktrees of one repository give the same name. */
  readonly name: string;
  /** Whether an agent may use it as part of its work. */
  readonly inside: boolean;
  /** Why not, as a sentence for people. `null` if it is inside. */
  readonly why: string | null;
}

/** Judges the places of one agent's requests (src/agents/README.md, ACP flow, step 6). */
export interface Places {
  /** Absolute: the directory in which the agent works. */
  readonly root: string;
  /** A directory in it, or a relative one, is on the agent's PATH: what is called `cat` there may be a file that an agent wrote. */
  readonly hasPrograms: boolean;
  /** `changes`: the request would change or delete what is there. */
  judge(path: string, changes: boolean): Place;
}

/**
 * Judges places by the directory of one attempt. "Inside" is a real path: links count by what they lead to. The session, git's own files, our
 * configuration and the files that agents load are inside for nobody. `loads`: further files that agents of this session load; `path`: the agent's PATH.
 */
export const createPlaces = (
  disk: Pick<Disk, 'lstat' | 'readlink'>,
  root: string,
  loads: readonly string[] = [],
  path = '',
): Places => ({
  root,
  hasPrograms: path.split(':').some((entry) => isBelow(disk, root, entry)),
  judge: (named, changes) => {
    const path = isAbsolute(named) ? named : `${root}/${named}`;
    const outside = (why: string, name = path): Place => ({ path, name, inside: false, why });
    // An agent, or its shell, makes another path of these than a file name.
    if (/^[a-z][a-z0-9+.-]*:/iu.test(named)) return outside(`${named} is an address, not a file`, named);
    if (/^[~$]/u.test(named)) return outside(`${named} is not below the workspace`, named);
    const top = realPath(disk, root);
    const real = realPath(disk, path);
    if (top === null || real === null) return outside(`the target of ${named} cannot be resolved`);
    const spelled = below(root, normal(path)) ?? below(top, normal(path));
    const name = below(top, real);
    if (name === null)
      return outside(
        spelled === null
          ? `${named} is outside the workspace`
          : `${spelled} is a link that leads outside, to ${real}`,
      );
    if (name === '' && changes) return outside('this is the workspace itself', name);
    const why =
      ownWhy(name, changes, loads) ??
      (spelled === null || spelled === name ? null : ownWhy(spelled, changes, loads)) ??
      behindLink(disk, top, real, loads);
    return why === null ? { path, name, inside: true, why } : outside(why, name);
  },
});

/** Whether a PATH entry is in the place of work, or cannot be told apart from one that is. An empty entry is the working directory. */
const isBelow = (disk: Pick<Disk, 'lstat' | 'readlink'>, root: string, entry: string): boolean => {
  const top = realPath(disk, root);
  const real = isAbsolute(entry) ? realPath(disk, entry) : null;
  return top === null || real === null || below(top, real) !== null;
};

/** Why a place counts as a file that agents load though it has another name: a link of that name leads there. `null`: none does. */
const behindLink = (
  disk: Pick<Disk, 'lstat' | 'readlink'>,
  top: string,
  real: string,
  loads: readonly string[],
): string | null => {
  for (const entry of [...loadedByAny, ...loads]) {
    const link = `${top}/${entry}`;
    const target = isLink(disk, link) ? realPath(disk, link) : null;
    if (target !== null && below(target, real) !== null) return `agents load it automatically, as ${entry}`;
  }
  return null;
};

const isLink = (disk: Pick<Disk, 'lstat'>, path: string): boolean => {
  try {
    return disk.lstat(path)?.kind === 'symlink';
  } catch (error) {
    if (diskCode(error) === '') throw error;
    return false;
  }
};

/** `path` relative to `top`, `''` for itself, `null` outside. */
const below = (top: string, path: string): string | null => {
  if (path === top) return '';
  const start = top.endsWith('/') ? top : `${top}/`;
  return path.startsWith(start) ? path.slice(start.length) : null;
};

/** Without `.` and `..`, by names alone. */
const normal = (path: string): string => {
  const names: string[] = [];
  for (const name of path.split('/'))
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  return `/${names.join('/')}`;
};

/** Why nobody's work touches this place in the repository, or `null`. */
const ownWhy = (name: string, changes: boolean, loads: readonly string[]): string | null => {
  const names = name.toLowerCase().split('/');
  if (names.includes('.git')) return `${name} belongs to git, which runs its contents`;
  if (names.includes('.ralph')) return `${name} is ralph-tui configuration`;
  if (names.includes('.ralph-sessions')) return `${name} belongs to a session`;
  if (loadedEntry(name, loads) !== null) return `agents load ${name} automatically`;
  const within = changes ? entryBelow(name, loads) : null;
  return within === null ? null : `agents load ${within} automatically`;
};
