import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { createSimulatedDisk, SimulatedCrash } from '../helpers/simulated-disk.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { checkDisk } from './disk-conformance.ts';

describe('the real disk', () => {
  checkDisk(() => ({
    disk: createDisk(),
    directory: tempDir(),
    symlink: (path, target) => symlinkSync(target, path),
    fifo: (path) => execFileSync('mkfifo', [path]),
  }));
});

test.runIf(existsSync('/proc/self'))(
  'a directory that nobody can make is told of, and not tried for ever',
  () => {
    expect(() => createDisk().mkdir('/proc/self/a/b/c')).toThrow('ENOENT: mkdir /proc/self/a');
  },
);

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the simulated disk', () => {
  checkDisk(() => {
    const disk = createSimulatedDisk();
    disk.mkdir('/work');
    return {
      disk,
      directory: '/work',
      symlink: disk.putSymlink,
      fifo: (path) => disk.putSpecial(path, 'fifo'),
    };
  });

  const written = () => {
    const disk = createSimulatedDisk();
    disk.mkdir('/d');
    const handle = disk.openAppend('/d/a');
    disk.write(handle, bytes('one'));
    return { disk, handle };
  };

  test('however much changes within a millisecond, nothing is older than what changed before, until the clock is set back', () => {
    let wall = Date.UTC(2026, 1, 15, 3, 15);
    const disk = createSimulatedDisk({ now: () => wall });
    const handle = disk.openAppend('/a');
    const timesOf = (count: number): readonly number[] =>
      Array.from({ length: count }, () => {
        disk.write(handle, bytes('x'));
        return disk.stat(handle).mtimeMs;
      });
    const times = [...timesOf(3_000)];
    wall += 1;
    times.push(...timesOf(3_000));
    expect(times.findIndex((at, index) => at <= (times[index - 1] ?? 0))).toBe(-1);
    // Each write sets two times; they run ahead of the clock no further than they are many.
    expect((times.at(-1) ?? 0) - wall).toBeLessThan(12);
    wall -= 60_000;
    expect(timesOf(1)).toEqual([wall]);
  });

  test('a crash happens at the chosen operation, and nothing works until the restart', () => {
    const { disk, handle } = written();
    disk.crashAfter(2);
    disk.write(handle, bytes('two'));
    expect(() => disk.flush(handle)).toThrow(SimulatedCrash);
    expect(() => disk.readdir('/d')).toThrow(SimulatedCrash);
    disk.restart();
    expect(disk.text('/d/a')).toBe('onetwo');
    expect(() => disk.write(handle, bytes('x'))).toThrow('EBADF');
  });

  test('a torn write leaves half of its bytes', () => {
    const { disk, handle } = written();
    disk.crashAfter(1, { torn: true });
    expect(() => disk.write(handle, bytes('abcdef'))).toThrow(SimulatedCrash);
    disk.restart();
    expect(disk.text('/d/a')).toBe('oneabc');
  });

  test('a power loss takes what was not flushed and leaves what was', () => {
    const { disk, handle } = written();
    disk.flush(handle);
    disk.flushDirectory('/d');
    disk.write(handle, bytes('two'));
    disk.link('/d/a', '/d/b');
    expect(disk.unflushed()).toEqual([
      { kind: 'link', path: '/d/b' },
      { kind: 'write', path: '/d/a' },
    ]);
    disk.loseUnflushed(() => true);
    expect(disk.tree()).toEqual(['/d/', '/d/a']);
    expect(disk.text('/d/a')).toBe('one');
  });

  test('a power loss may take any of the changes', () => {
    const { disk } = written();
    disk.link('/d/a', '/d/b');
    disk.unlink('/d/a');
    disk.loseUnflushed((change) => change.kind === 'unlink' || change.kind === 'create');
    expect(disk.tree()).toEqual(['/d/', '/d/b']);
    expect(disk.text('/d/b')).toBe('one');
  });

  test('a rename survives whole or not at all', () => {
    const { disk } = written();
    disk.mkdir('/e');
    disk.flushDirectory('/d');
    disk.rename('/d/a', '/e/b');
    disk.loseUnflushed((change) => change.kind === 'rename');
    expect(disk.tree()).toEqual(['/d/', '/d/a', '/e/']);
    disk.rename('/d/a', '/e/b');
    disk.flushDirectory('/e');
    disk.loseUnflushed(() => true);
    expect(disk.tree()).toEqual(['/d/', '/e/', '/e/b']);
  });

  test('a torn change of a lost file keeps half of the bytes and nothing after them', () => {
    const { disk, handle } = written();
    disk.flushDirectory('/d');
    disk.write(handle, bytes('XXXX'));
    disk.write(handle, bytes('later'));
    let writes = 0;
    disk.loseUnflushed((change) => change.kind === 'write' && (writes++ === 1 ? 'torn' : false));
    expect(disk.text('/d/a')).toBe('oneXX');
  });

  test('a truncation that was lost gives the old content back', () => {
    const { disk, handle } = written();
    disk.flush(handle);
    disk.flushDirectory('/d');
    disk.truncate(handle, 1);
    disk.write(handle, bytes('!'));
    disk.loseUnflushed(() => true);
    expect(disk.text('/d/a')).toBe('one');
  });

  test('without flushing a power loss takes everything', () => {
    const disk = createSimulatedDisk({ ignoreFlush: true });
    disk.mkdir('/d');
    disk.flushDirectory('/');
    disk.loseUnflushed(() => true);
    expect(disk.tree()).toEqual([]);
  });

  test('a full disk takes what fits, says ENOSPC, and has room again after a removal', () => {
    const { disk, handle } = written();
    disk.setSpace(2);
    expect(() => disk.write(handle, bytes('more'))).toThrow('ENOSPC');
    expect(disk.text('/d/a')).toBe('onemo');
    disk.unlink('/d/a');
    disk.write(disk.openExclusive('/d/b'), bytes('12345'));
    expect(disk.text('/d/b')).toBe('12345');
  });

  test('a read-only directory takes no new names', () => {
    const { disk } = written();
    disk.chmod('/d', 0o500);
    expect(() => disk.openExclusive('/d/b')).toThrow('EACCES');
    expect(() => disk.unlink('/d/a')).toThrow('EACCES');
    expect(disk.readdir('/d')).toEqual(['a']);
  });
});

test('a directory that another program removes again and again is made, or there, each time', async () => {
  const path = join(tempDir(), 'd');
  const remover = spawn(process.execPath, [
    '-e',
    `const fs = require('node:fs'); console.log('begun'); for (;;) try { fs.rmdirSync(${JSON.stringify(path)}); } catch {}`,
  ]);
  onTestFinished(() => void remover.kill('SIGKILL'));
  await once(remover.stdout, 'data');
  const disk = createDisk();
  let made = 0;
  for (let tries = 0; tries < 4_000; tries += 1) made += Number(disk.mkdir(path)) + Number(disk.mkdir(path));
  expect(made).toBeGreaterThan(1);
});
