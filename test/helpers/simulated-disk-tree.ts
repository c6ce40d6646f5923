import { dirname, join, normalize } from 'node:path';
import { DiskError, type FileKind, type FileStat } from '../../src/base/disk.ts';

/** What the simulated disk holds right now, as its own process sees it. */
export interface Inode {
  readonly ino: number;
  readonly kind: FileKind;
  readonly target: string;
  /** May be shorter than `size`: the rest of a sparse file is zeros. */
  data: Uint8Array;
  size: number;
  mode: number;
  uid: number;
  nlink: number;
  mtimeMs: number;
  ctimeMs: number;
  entries: Map<string, Inode>;
}

export interface Tree {
  readonly root: Inode;
  /** A time later than every one given before, as long as nobody sets the clock back. */
  now(): number;
  make(kind: FileKind, mode: number, target?: string): Inode;
  /** The thing itself, a link not followed; `null` when its directory does not hold it. `tolerant`: also when there is no such directory. */
  find(path: string, operation: string, tolerant?: boolean): Inode | null;
  get(path: string, operation: string): Inode;
  follow(path: string, operation: string): Inode;
  directory(path: string, operation: string): Inode;
  /** Directories that have to be made for `path`, outermost first. */
  missing(path: string): string[];
  /** The directory and name an entry of `path` would have; refused where the directory may not be written. */
  place(path: string, operation: string): { readonly directory: Inode; readonly name: string };
  /** Puts or removes an entry, without any record of it. */
  set(directory: Inode, name: string, inode: Inode | null): void;
  touch(inode: Inode, change: Partial<Pick<Inode, 'mode' | 'uid' | 'mtimeMs'>>): void;
  may(inode: Inode, bit: number): boolean;
  stat(inode: Inode): FileStat;
  paths(path?: string): string[];
}

interface Options {
  readonly now?: () => number;
  readonly uid?: number;
}

const deepestLinks = 40;

/** Added to a time of our century it comes out exactly; much less would be rounded away. */
const shortestMs = 1 / 1024;

export const createTree = (options: Options): Tree => {
  const uid = options.uid ?? 1000;
  let inodes = 0;
  let wall = 0;
  let last = 0;
  /** Two changes never carry the same time, as on a file system that keeps nanoseconds; however many there are in a millisecond, none is older than the one before. */
  const now = (): number => {
    const before = wall;
    wall = options.now?.() ?? wall;
    last = wall < before ? wall : Math.max(wall, last + (options.now ? shortestMs : 1));
    return last;
  };
  const make = (kind: FileKind, mode: number, target = ''): Inode => {
    inodes += 1;
    const at = now();
    const blank = { data: new Uint8Array(), size: 0, nlink: 0, entries: new Map<string, Inode>() };
    return { ino: inodes, kind, target, mode, uid, mtimeMs: at, ctimeMs: at, ...blank };
  };
  const root = make('directory', 0o700);

  /** What paths led to, until a directory or a link comes or goes: nearly every call is about a file in a directory that stays. */
  const walked = new Map<string, Inode>();
  const walk = (path: string, operation: string, links: number): Inode => {
    const known = walked.get(path);
    if (known) return known;
    const parts = normalize(path).split('/').filter(Boolean);
    let inode = root;
    for (const [index, part] of parts.entries()) {
      if (inode.kind !== 'directory') throw new DiskError('ENOTDIR', operation, path);
      const next = inode.entries.get(part);
      if (!next) throw new DiskError('ENOENT', operation, path);
      const here = next.kind === 'symlink' ? `/${parts.slice(0, index + 1).join('/')}` : '';
      inode = next.kind === 'symlink' ? through(next, here, operation, links) : next;
    }
    if (inode.kind === 'directory') walked.set(path, inode);
    return inode;
  };
  const through = (link: Inode, path: string, operation: string, links: number): Inode => {
    if (links >= deepestLinks) throw new DiskError('ELOOP', operation, path);
    const target = link.target.startsWith('/') ? link.target : join(dirname(path), link.target);
    return walk(target, operation, links + 1);
  };
  const check = (path: string, name: string, operation: string): void => {
    if (path.includes('\0')) throw new DiskError('EINVAL', operation, path);
    // No character takes more than three bytes.
    if (name.length > 85 && new TextEncoder().encode(name).length > 255)
      throw new DiskError('ENAMETOOLONG', operation, path);
  };
  const directory = (path: string, operation: string): Inode => {
    const inode = walk(path, operation, 0);
    if (inode.kind !== 'directory') throw new DiskError('ENOTDIR', operation, path);
    return inode;
  };
  const find = (path: string, operation: string, tolerant = false): Inode | null => {
    const { parent, name } = split(path);
    check(path, name, operation);
    if (name === '') return root;
    try {
      return directory(parent, operation).entries.get(name) ?? null;
    } catch (error) {
      if (tolerant && error instanceof DiskError && /^ENO/.test(error.code)) return null;
      throw error;
    }
  };
  const get = (path: string, operation: string): Inode => {
    const found = find(path, operation);
    if (!found) throw new DiskError('ENOENT', operation, path);
    return found;
  };
  const may = (inode: Inode, bit: number): boolean => uid === 0 || (inode.mode & bit) !== 0;
  const place = (path: string, operation: string) => {
    const { parent, name } = split(path);
    check(path, name, operation);
    const inode = directory(parent, operation);
    if (!may(inode, 0o200)) throw new DiskError('EACCES', operation, path);
    return { directory: inode, name };
  };
  const set = (parent: Inode, name: string, inode: Inode | null): void => {
    const old = parent.entries.get(name);
    const at = now();
    if ((old && old.kind !== 'file') || (inode && inode.kind !== 'file')) walked.clear();
    if (old) {
      old.nlink -= 1;
      old.ctimeMs = at;
      parent.entries.delete(name);
    }
    if (inode) {
      inode.nlink += 1;
      inode.ctimeMs = at;
      parent.entries.set(name, inode);
    }
    parent.mtimeMs = at;
    parent.ctimeMs = at;
  };

  return {
    root,
    now,
    make,
    find,
    get,
    follow: (path, operation) => walk(path, operation, 0),
    directory,
    missing: (path) => {
      const lacking: string[] = [];
      for (let at = normalize(path).replace(/(.)\/$/, '$1'); ; at = dirname(at)) {
        const found = find(at, 'mkdir', true);
        if (!found) {
          lacking.unshift(at);
          continue;
        }
        const kind = found.kind === 'symlink' ? walk(at, 'mkdir', 0).kind : found.kind;
        if (kind === 'directory') return lacking;
        throw new DiskError(lacking.length === 0 ? 'EEXIST' : 'ENOTDIR', 'mkdir', path);
      }
    },
    place,
    set,
    touch: (inode, change) => {
      Object.assign(inode, change);
      inode.ctimeMs = now();
    },
    may,
    stat: (inode) => ({
      kind: inode.kind,
      size: inode.size,
      mtimeMs: inode.mtimeMs,
      ctimeMs: inode.ctimeMs,
      ino: inode.ino,
      dev: 1,
      nlink: inode.nlink,
      uid: inode.uid,
      mode: inode.mode,
    }),
    paths: (path = '/') => {
      const list = (inode: Inode, at: string): string[] =>
        [...inode.entries].flatMap(([name, child]) =>
          child.kind === 'directory'
            ? [`${join(at, name)}/`, ...list(child, join(at, name))]
            : [join(at, name)],
        );
      return list(directory(path, 'readdir'), path).sort();
    },
  };
};

/** The directory and the name in it, an empty one for the root; a plain absolute path needs no rewriting. */
const split = (path: string): { readonly parent: string; readonly name: string } => {
  const plain = odd.test(path) ? normalize(path).replace(/(.)\/$/, '$1') : path;
  const at = plain.lastIndexOf('/');
  return { parent: plain.slice(0, at) || '/', name: plain.slice(at + 1) };
};

/** Doubled and closing slashes, `.` and `..` as a part, and paths that begin nowhere. */
const odd = /^[^/]|\/\/|\/$|\/\.{1,2}(?:\/|$)/;
