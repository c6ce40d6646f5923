import { spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DiskError } from '../../base/disk.ts';
import { decodeName, encodePath } from '../../base/file-names.io.ts';
import type { WorkFiles } from './work-files.ts';

/** The real file system. `unique` makes names of temporary files. */
export const createWorkFiles = (unique: () => string): WorkFiles => {
  const beside = (path: string): string => join(dirname(path), `.ralph-${unique()}.tmp`);
  return {
    kind: (path) => call('lstat', path, () => kindOf(path)),
    stamp: (path) => call('lstat', path, () => stampOf(path)),
    size: (path) => call('lstat', path, () => Number(statOf(path)?.size ?? 0)),
    resolve: (path) => {
      try {
        return decodeName(realpathSync(encodePath(path), { encoding: 'buffer' }));
      } catch {
        return null;
      }
    },
    list: (path) => call('readdir', path, () => namesIn(path)),
    read: readText,
    includes: (path, bytes) =>
      call('read', path, () => readFileSync(encodePath(path)).includes(Buffer.from(bytes))),
    makeDirectory: (path) =>
      call('mkdir', path, () => void mkdirSync(encodePath(path), { recursive: true, mode: 0o700 })),
    write: (path, bytes) =>
      call('write', path, () => {
        const fresh = beside(path);
        writeWhole(fresh, bytes);
        renameSync(encodePath(fresh), encodePath(path));
      }),
    writeScratch: (path, bytes) =>
      call('write', path, () => writeFileSync(encodePath(path), bytes, { flag: 'wx', mode: 0o600 })),
    copy: (from, to) => call('copy', to, () => copyOne(from, to)),
    link: (from, to) => call('link', to, () => linkOne(from, to, beside(to))),
    setTime: (path, ms) => call('utimes', path, () => utimesSync(encodePath(path), ms / 1_000, ms / 1_000)),
    linkTarget: (path) =>
      call('readlink', path, () => decodeName(readlinkSync(encodePath(path), { encoding: 'buffer' }))),
    replace: (from, to, executes) =>
      call('replace', to, () => {
        keepPermissions(from, to, executes);
        replace(from, to, beside(to));
      }),
    unlink: (path) => call('unlink', path, () => rmSync(encodePath(path), { force: true })),
    removeEmpty: (path) => {
      try {
        rmdirSync(encodePath(path));
        return true;
      } catch {
        return false;
      }
    },
    removeTree: async (path) => {
      try {
        await rm(encodePath(path), { recursive: true, force: true });
      } catch {
        // A directory without write permission holds its entries: the owner may change that.
        call('rm', path, () => {
          makeWritable(path);
          rmSync(encodePath(path), { recursive: true, force: true });
        });
      }
    },
    moveAside,
    removeBeside: (path) => {
      const options = { detached: true, stdio: 'ignore', cwd: '/', env: { PATH: '/usr/bin:/bin' } } as const;
      const removal = spawn('/bin/sh', ['-c', removeInShell, 'sh', path, dirname(path)], options);
      // What no process removes now the next start does.
      removal.on('error', () => {});
      removal.unref();
    },
  };
};

/** A directory without write permission holds its entries: the owner may change that. */
const removeInShell = 'rm -rf -- "$1" || { chmod -R u+rwX -- "$1"; rm -rf -- "$1"; }; rmdir -- "$2"';

/** Another program may remove the empty directory that the new name is in. */
const moveAside = (path: string, to: string): boolean => {
  for (let tries = 0; tries < 3; tries += 1) {
    mkdirSync(encodePath(dirname(to)), { recursive: true, mode: 0o700 });
    try {
      renameSync(encodePath(path), encodePath(to));
      return true;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) return false;
    }
  }
  return false;
};

const call = <T>(operation: string, path: string, run: () => T): T => {
  try {
    return run();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'EUNKNOWN';
    throw new DiskError(code, operation, path);
  }
};

/** Nothing is there also where a parent is no directory, as `.git` of a submodule is a file. */
const statOf = (path: string) => {
  try {
    return lstatSync(encodePath(path), { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined;
    throw error;
  }
};

const kindOf = (path: string): ReturnType<WorkFiles['kind']> => {
  const stat = statOf(path);
  if (!stat) return null;
  if (stat.isSymbolicLink()) return 'symlink';
  return stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : 'other';
};

const stampOf = (path: string): string => {
  const stat = statOf(path);
  return stat ? [stat.ino, stat.size, stat.ctimeMs, stat.mtimeMs, stat.mode].join(':') : '';
};

const namesIn = (path: string): readonly string[] =>
  kindOf(path) === 'directory'
    ? readdirSync(encodePath(path), { encoding: 'buffer' }).map(decodeName).sort()
    : [];

const mostText = 1024 * 1024;

const readText = (path: string): string | null => {
  let file: number | null = null;
  try {
    file = openSync(encodePath(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = fstatSync(file);
    return stat.isFile() && stat.size <= mostText ? readFileSync(file, 'utf8') : null;
  } catch {
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
};

const writeWhole = (path: string, bytes: Uint8Array): void => {
  const file = openSync(encodePath(path), 'wx', 0o600);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

const copyOne = (from: string, to: string): void => {
  if (kindOf(from) === 'symlink') {
    symlinkSync(readlinkSync(encodePath(from), { encoding: 'buffer' }), encodePath(to));
    return;
  }
  copyFileSync(encodePath(from), encodePath(to), constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  // git tells by the time of an index whether a file may have changed in the moment it was recorded: a copy must not look younger.
  const { mtimeMs } = lstatSync(encodePath(from));
  utimesSync(encodePath(to), Math.floor(mtimeMs) / 1_000, Math.floor(mtimeMs) / 1_000);
};

const linkOne = (from: string, to: string, beside: string): void => {
  if (kindOf(to) !== null) return;
  mkdirSync(encodePath(dirname(to)), { recursive: true });
  try {
    linkSync(encodePath(from), encodePath(to));
  } catch (error) {
    if (kindOf(to) !== null) return;
    if (!(error instanceof Error && 'code' in error) || error.code === 'ENOENT') throw error;
    // Another file system, or one without second names.
    copyOne(from, beside);
    renameSync(encodePath(beside), encodePath(to));
  }
};

/** Execution where reading is permitted. */
const keepPermissions = (from: string, to: string, executes: boolean | null): void => {
  if (kindOf(from) !== 'file' || kindOf(to) !== 'file') return;
  const old = (statOf(to)?.mode ?? 0) & 0o777;
  const plain = old & 0o666;
  const mode = executes === null ? old : executes ? plain | ((plain & 0o444) >> 2) : plain;
  chmodSync(encodePath(from), mode);
};

/** A rename where both are on one file system, else a copy beside the target first. */
const replace = (from: string, to: string, beside: string): void => {
  mkdirSync(encodePath(dirname(to)), { recursive: true });
  try {
    renameSync(encodePath(from), encodePath(to));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    copyOne(from, beside);
    renameSync(encodePath(beside), encodePath(to));
    unlinkSync(encodePath(from));
  }
};

const makeWritable = (path: string): void => {
  if (kindOf(path) !== 'directory') return;
  chmodSync(encodePath(path), 0o700);
  for (const name of namesIn(path)) makeWritable(join(path, name));
};
