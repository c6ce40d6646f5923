import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Disk, diskCode } from '../../src/base/disk.ts';

/** What a suite needs to know of the disk it checks: an empty directory of its own, and what the port cannot create. */
export interface DiskUnderTest {
  readonly disk: Disk;
  readonly directory: string;
  readonly symlink: (path: string, target: string) => void;
  readonly fifo: (path: string) => void;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return diskCode(error);
  }
  return 'no error';
};

/** Every promise of `Disk`, checked on the real and on the simulated one. */
export const checkDisk = (make: () => DiskUnderTest): void => {
  const setup = () => {
    const under = make();
    const { disk, directory } = under;
    const at = (name: string): string => join(directory, name);
    const put = (name: string, text: string): void => {
      const handle = disk.openExclusive(at(name));
      disk.write(handle, bytes(text));
      disk.close(handle);
    };
    const get = (name: string): string => {
      const handle = disk.openRead(at(name));
      const text = new TextDecoder().decode(disk.read(handle, 0, 1_000));
      disk.close(handle);
      return text;
    };
    return { ...under, at, put, get };
  };

  test('what is written is read back, from any offset and never beyond the end', () => {
    const { disk, at, put } = setup();
    put('a', 'hello');
    const handle = disk.openRead(at('a'));
    expect(new TextDecoder().decode(disk.read(handle, 1, 3))).toBe('ell');
    expect(disk.read(handle, 3, 100)).toHaveLength(2);
    expect(disk.read(handle, 9, 100)).toHaveLength(0);
    disk.close(handle);
  });

  test('a name is created exclusively once', () => {
    const { disk, at, put, get } = setup();
    put('a', 'first');
    expect(codeOf(() => disk.openExclusive(at('a')))).toBe('EEXIST');
    expect(get('a')).toBe('first');
  });

  test('an exclusive creation does not write through a symbolic link', () => {
    const { disk, at, symlink } = setup();
    symlink(at('link'), at('elsewhere'));
    expect(codeOf(() => disk.openExclusive(at('link')))).toBe('EEXIST');
    expect(disk.lstat(at('elsewhere'))).toBeNull();
  });

  test('appending creates the file and then adds to its end, also after a truncation', () => {
    const { disk, at, get } = setup();
    for (const text of ['one ', 'two ']) {
      const handle = disk.openAppend(at('log'));
      disk.write(handle, bytes(text));
      disk.close(handle);
    }
    const handle = disk.openAppend(at('log'));
    disk.truncate(handle, 4);
    disk.write(handle, bytes('three'));
    expect(disk.stat(handle).size).toBe(9);
    disk.close(handle);
    expect(get('log')).toBe('one three');
  });

  test('reading and appending refuse a symbolic link', () => {
    const { disk, at, put, symlink } = setup();
    put('secret', 'x');
    symlink(at('link'), at('secret'));
    expect(codeOf(() => disk.openRead(at('link')))).toBe('ELOOP');
    expect(codeOf(() => disk.openAppend(at('link')))).toBe('ELOOP');
    expect(disk.lstat(at('link'))?.kind).toBe('symlink');
  });

  test('a FIFO is opened without waiting for a writer, and its kind is told', () => {
    const { disk, at, fifo } = setup();
    fifo(at('pipe'));
    const handle = disk.openRead(at('pipe'));
    expect(disk.stat(handle).kind).toBe('fifo');
    disk.close(handle);
  });

  test('a directory opened for reading says that it is one', () => {
    const { disk, at } = setup();
    disk.mkdir(at('sub'));
    const handle = disk.openRead(at('sub'));
    expect(disk.stat(handle).kind).toBe('directory');
    expect(codeOf(() => disk.read(handle, 0, 1))).toBe('EISDIR');
    disk.close(handle);
    expect(codeOf(() => disk.openAppend(at('sub')))).toBe('EISDIR');
  });

  test('a link is a second name of the same file and never overwrites', () => {
    const { disk, at, put, get } = setup();
    put('a', 'A');
    put('b', 'B');
    expect(codeOf(() => disk.link(at('a'), at('b')))).toBe('EEXIST');
    expect(get('b')).toBe('B');
    disk.link(at('a'), at('c'));
    expect(disk.lstat(at('c'))?.ino).toBe(disk.lstat(at('a'))?.ino);
    expect(disk.lstat(at('a'))?.nlink).toBe(2);
    disk.unlink(at('a'));
    expect(get('c')).toBe('A');
    expect(disk.lstat(at('c'))?.nlink).toBe(1);
  });

  test('a rename replaces what is there', () => {
    const { disk, at, put, get } = setup();
    put('a', 'A');
    put('b', 'B');
    disk.rename(at('a'), at('b'));
    expect(get('b')).toBe('A');
    expect(disk.readdir(at(''))).toEqual(['b']);
  });

  test('renaming one name of a file to another of its names changes nothing', () => {
    const { disk, at, put } = setup();
    put('a', 'A');
    disk.link(at('a'), at('b'));
    disk.rename(at('a'), at('b'));
    expect(disk.readdir(at('')).sort()).toEqual(['a', 'b']);
  });

  test('a directory and a file do not replace each other', () => {
    const { disk, at, put } = setup();
    put('file', 'x');
    disk.mkdir(at('sub'));
    expect(codeOf(() => disk.rename(at('file'), at('sub')))).toBe('EISDIR');
    expect(codeOf(() => disk.rename(at('sub'), at('file')))).toBe('ENOTDIR');
  });

  test('an open file outlives its name', () => {
    const { disk, at, put } = setup();
    put('a', 'still here');
    const handle = disk.openRead(at('a'));
    disk.unlink(at('a'));
    expect(disk.read(handle, 0, 5)).toHaveLength(5);
    expect(disk.stat(handle).nlink).toBe(0);
    disk.close(handle);
  });

  test('what is missing is ENOENT, and null to lstat', () => {
    const { disk, at, put } = setup();
    put('file', 'x');
    for (const run of [
      () => disk.openRead(at('no')),
      () => disk.unlink(at('no')),
      () => disk.rename(at('no'), at('b')),
      () => disk.link(at('no'), at('b')),
      () => disk.readdir(at('no')),
      () => disk.rmdir(at('no')),
      () => disk.openExclusive(at('no/a')),
      () => disk.flushDirectory(at('no')),
    ])
      expect(codeOf(run)).toBe('ENOENT');
    expect(disk.lstat(at('no'))).toBeNull();
    expect(disk.lstat(at('no/deeper'))).toBeNull();
    expect(disk.lstat(at('file/below'))).toBeNull();
    expect(codeOf(() => disk.readdir(at('file')))).toBe('ENOTDIR');
  });

  test('mkdir makes the parents, is silent when the directory exists, and not when a file does', () => {
    const { disk, at, put } = setup();
    expect(disk.mkdir(at('a/b/c'))).toBe(true);
    expect(disk.mkdir(at('a/b/c'))).toBe(false);
    expect(disk.lstat(at('a/b'))).toMatchObject({ kind: 'directory', mode: 0o700 });
    put('file', 'x');
    expect(codeOf(() => disk.mkdir(at('file')))).toBe('EEXIST');
    expect(codeOf(() => disk.mkdir(at('file/below')))).toBe('ENOTDIR');
  });

  test('only an empty directory is removed', () => {
    const { disk, at, put } = setup();
    disk.mkdir(at('a/b'));
    expect(codeOf(() => disk.rmdir(at('a')))).toBe('ENOTEMPTY');
    disk.rmdir(at('a/b'));
    disk.rmdir(at('a'));
    put('file', 'x');
    expect(codeOf(() => disk.rmdir(at('file')))).toBe('ENOTDIR');
    expect(disk.readdir(at(''))).toEqual(['file']);
  });

  test('files are 0600 unless told, and chmod changes that', () => {
    const { disk, at, put } = setup();
    put('a', 'x');
    expect(disk.lstat(at('a'))).toMatchObject({ kind: 'file', mode: 0o600, size: 1 });
    disk.close(disk.openExclusive(at('b'), 0o400));
    expect(disk.lstat(at('b'))?.mode).toBe(0o400);
    disk.chmod(at('a'), 0o640);
    expect(disk.lstat(at('a'))?.mode).toBe(0o640);
  });

  test('a read-only handle cannot write', () => {
    const { disk, at, put } = setup();
    put('a', 'x');
    const handle = disk.openRead(at('a'));
    expect(codeOf(() => disk.write(handle, bytes('y')))).toBe('EBADF');
    disk.close(handle);
  });

  test('a link in the middle of a path is followed, a loop is an error', () => {
    const { disk, at, get, symlink } = setup();
    disk.mkdir(at('real'));
    symlink(at('way'), at('real'));
    const handle = disk.openExclusive(at('way/a'));
    disk.write(handle, bytes('through'));
    disk.close(handle);
    expect(get('real/a')).toBe('through');
    symlink(at('x'), at('y'));
    symlink(at('y'), at('x'));
    expect(codeOf(() => disk.readdir(at('x')))).toBe('ELOOP');
    symlink(at('dangling'), at('nowhere'));
    expect(codeOf(() => disk.readdir(at('dangling')))).toBe('ENOENT');
  });

  test('a link gives its target as it is written, and no other file has one', () => {
    const { disk, at, put, symlink } = setup();
    symlink(at('near'), '../elsewhere');
    expect(disk.readlink(at('near'))).toBe('../elsewhere');
    put('a', 'x');
    expect(codeOf(() => disk.readlink(at('a')))).toBe('EINVAL');
    expect(codeOf(() => disk.readlink(at('nowhere')))).toBe('ENOENT');
  });

  test('names of 255 bytes are taken, longer ones and NUL are refused', () => {
    const { disk, at, put } = setup();
    put('n'.repeat(255), 'x');
    expect(codeOf(() => put('n'.repeat(256), 'x'))).toBe('ENAMETOOLONG');
    expect(codeOf(() => disk.lstat(at('a\0b')))).toBe('EINVAL');
  });

  test('names with line breaks, escape characters, umlauts and emoji come back as they were', () => {
    const { disk, at, put } = setup();
    const names = ['a\nb', '\x1b[31m', 'ä', '👩‍💻', '-rf', '\ufffd'];
    for (const name of names) put(name, 'x');
    expect(disk.readdir(at('')).sort()).toEqual([...names].sort());
  });

  test('names that are not UTF-8 are listed, read, renamed and removed through their escaped form', () => {
    const { disk, at, put, get } = setup();
    const name = 'signal-\udcff\udce4é\udced\udcb2\udc80.yaml';
    put(name, 'x');
    expect(disk.readdir(at(''))).toEqual([name]);
    expect(get(name)).toBe('x');
    disk.rename(at(name), at('b\udcfe'));
    expect(disk.lstat(at('b\udcfe'))?.kind).toBe('file');
    disk.unlink(at('b\udcfe'));
    expect(disk.readdir(at(''))).toEqual([]);
  });

  test('a change of content moves mtime, a change of names ctime', () => {
    const { disk, at, put } = setup();
    put('a', 'x');
    const before = disk.lstat(at('a'));
    // Kernel timestamps move in ticks of a few milliseconds; a write in the same tick may carry the same time.
    for (let round = 0; round < 100_000 && disk.lstat(at('a'))?.mtimeMs === before?.mtimeMs; round += 1) {
      const handle = disk.openAppend(at('a'));
      disk.write(handle, bytes('y'));
      disk.close(handle);
    }
    expect(disk.lstat(at('a'))?.mtimeMs).toBeGreaterThan(before?.mtimeMs ?? Number.POSITIVE_INFINITY);
  });

  test('flushing beside the thread is accepted, and says what is wrong', async () => {
    const { disk, at, directory, put } = setup();
    const handle = disk.openExclusive(at('new'));
    disk.write(handle, bytes('x'));
    await disk.flushAside(handle);
    disk.close(handle);
    await expect(disk.flushAside(handle)).rejects.toMatchObject({ code: 'EBADF' });
    await disk.flushDirectoryAside(directory);
    put('a', 'x');
    await expect(disk.flushDirectoryAside(at('a'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(disk.flushDirectoryAside(at('no'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('flushing a file and a directory is accepted', () => {
    const { disk, directory, at } = setup();
    const handle = disk.openExclusive(at('a'));
    disk.write(handle, bytes('x'));
    disk.flush(handle);
    disk.close(handle);
    disk.flushDirectory(directory);
    expect(codeOf(() => disk.flushDirectory(at('a')))).toBe('ENOTDIR');
    expect(codeOf(() => disk.close(handle))).toBe('EBADF');
  });
};
