import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { DiskError, diskCode } from '../../src/base/disk.ts';
import { createRandom } from '../../src/base/random.io.ts';
import { flushingOnce, readText, replaceFile, writeNew } from '../../src/base/replace-file.ts';
import { sweepTemporaries } from '../../src/base/temporary-file.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { createSimulatedDisk, SimulatedCrash, type SimulatedDisk } from '../helpers/simulated-disk.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const oldText = 'old '.repeat(50);
const newText = 'new '.repeat(80);

const withOldFile = (options = {}): SimulatedDisk => {
  const disk = createSimulatedDisk(options);
  disk.mkdir('/s');
  disk.put('/s/file', oldText, 0o640);
  return disk;
};

/** Runs `work` once for every operation it makes, stopping there; gives the disk after the restart to `check`. */
const atEveryCrash = (
  make: () => SimulatedDisk,
  work: (disk: SimulatedDisk) => void,
  check: (disk: SimulatedDisk, at: number) => void,
): number => {
  for (let at = 1; ; at += 1) {
    const disk = make();
    disk.crashAfter(at, { torn: true });
    try {
      work(disk);
      return at - 1;
    } catch (error) {
      if (!(error instanceof SimulatedCrash)) throw error;
    }
    check(disk, at);
  }
};

describe('replacing a file', () => {
  test('gives the new text with the old mode, and leaves nothing else', () => {
    const disk = withOldFile();
    replaceFile(disk, createSeededRandom(1), '/s/file', newText);
    expect(disk.text('/s/file')).toBe(newText);
    expect(disk.lstat('/s/file')?.mode).toBe(0o640);
    expect(disk.tree()).toEqual(['/s/', '/s/file']);
  });

  test('makes a new file private', () => {
    const disk = withOldFile();
    replaceFile(disk, createSeededRandom(1), '/s/other', 'x');
    expect(disk.lstat('/s/other')?.mode).toBe(0o600);
  });

  test('stopped at any operation leaves the old text or the new one, whole', () => {
    const points = atEveryCrash(
      withOldFile,
      (disk) => replaceFile(disk, createSeededRandom(1), '/s/file', newText),
      (disk) => {
        disk.restart();
        expect([oldText, newText]).toContain(readText(disk, '/s/file'));
        sweepTemporaries(disk, '/s');
        expect(disk.tree()).toEqual(['/s/', '/s/file']);
      },
    );
    expect(points).toBe(5);
  });

  test('survives a power loss at any operation, whatever part of the un-flushed changes is lost', () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const random = createSeededRandom(seed);
      atEveryCrash(
        withOldFile,
        (disk) => replaceFile(disk, random, '/s/file', newText),
        (disk) => {
          disk.loseUnflushed(() => (random.chance(0.2) ? 'torn' : random.chance(0.5)));
          expect([oldText, newText]).toContain(readText(disk, '/s/file'));
        },
      );
    }
  });

  test('has made the new text durable when it returns', () => {
    const disk = withOldFile();
    replaceFile(disk, createSeededRandom(1), '/s/file', newText);
    disk.loseUnflushed(() => true);
    expect(disk.text('/s/file')).toBe(newText);
  });

  test('would be found out by these power losses if it did not flush', () => {
    const disk = withOldFile({ ignoreFlush: true });
    replaceFile(disk, createSeededRandom(1), '/s/file', newText);
    disk.loseUnflushed((change) => change.kind === 'write');
    expect([oldText, newText]).not.toContain(readText(disk, '/s/file'));
  });

  test('keeps the old file on a full disk, says so, and tidies up', () => {
    for (const space of [0, 1, newText.length - 1]) {
      const disk = withOldFile();
      disk.setSpace(space);
      expect(() => replaceFile(disk, createSeededRandom(1), '/s/file', newText)).toThrow('ENOSPC');
      disk.setSpace(null);
      expect(disk.text('/s/file')).toBe(oldText);
      expect(disk.tree()).toEqual(['/s/', '/s/file']);
    }
  });

  test('among files of other people is half written only in a directory of ours, also when that lies on another disk', () => {
    for (const far of [false, true])
      for (const write of [replaceFile, writeNew]) {
        const disk = withOldFile();
        disk.mkdir('/home');
        const places: string[] = [];
        const move =
          (call: (from: string, to: string) => void) =>
          (from: string, to: string): void => {
            places.push(dirname(from));
            if (far && dirname(from) !== dirname(to)) throw new DiskError('EXDEV', 'rename', to);
            call(from, to);
          };
        const between = { ...disk, rename: move(disk.rename), link: move(disk.link) };
        write(between, createSeededRandom(1), '/s/new', newText, '/home');
        expect(places).toEqual(far ? ['/home', '/s'] : ['/home']);
        expect(disk.text('/s/new')).toBe(newText);
        expect(disk.tree()).toEqual(['/home/', '/s/', '/s/file', '/s/new']);
      }
  });

  test('on a real file size limit keeps the old file and says so', () => {
    const directory = tempDir();
    writeFileSync(join(directory, 'file'), oldText);
    const program = `
      import { createDisk } from '${join(import.meta.dirname, '../../src/base/disk.io.ts')}';
      import { createRandom } from '${join(import.meta.dirname, '../../src/base/random.io.ts')}';
      import { replaceFile } from '${join(import.meta.dirname, '../../src/base/replace-file.ts')}';
      process.on('SIGXFSZ', () => {});
      try {
        replaceFile(createDisk(), createRandom(), process.argv[1], 'new '.repeat(100_000));
        console.log('no error');
      } catch (error) {
        console.log(error.name, error.code);
      }`;
    const { stdout, stderr } = spawnSync(
      'sh',
      [
        '-c',
        'ulimit -f 8; exec "$@"',
        'sh',
        process.execPath,
        '--input-type=module',
        '-e',
        program,
        join(directory, 'file'),
      ],
      { encoding: 'utf8' },
    );
    expect(`${stdout}${stderr}`).toBe('DiskError EFBIG\n');
    expect(readFileSync(join(directory, 'file'), 'utf8')).toBe(oldText);
    expect(readdirSync(directory)).toEqual(['file']);
  });
});

describe('writing a new file', () => {
  test('never overwrites, and leaves nothing of the attempt', () => {
    const disk = withOldFile();
    expect(() => writeNew(disk, createSeededRandom(1), '/s/file', newText)).toThrow('EEXIST');
    expect(disk.text('/s/file')).toBe(oldText);
    expect(disk.tree()).toEqual(['/s/', '/s/file']);
  });

  test('stopped at any operation, with or without a power loss, shows the whole file or none', () => {
    for (const loss of [() => false, () => true, (change: { kind: string }) => change.kind === 'link']) {
      atEveryCrash(
        withOldFile,
        (disk) => writeNew(disk, createSeededRandom(1), '/s/new', newText),
        (disk) => {
          disk.loseUnflushed(loss);
          expect([null, newText]).toContain(readText(disk, '/s/new'));
        },
      );
    }
  });

  test('is durable when it returns', () => {
    const disk = withOldFile();
    writeNew(disk, createSeededRandom(1), '/s/new', newText);
    disk.loseUnflushed(() => true);
    expect(disk.text('/s/new')).toBe(newText);
  });

  test('works on the real disk', () => {
    const path = join(tempDir(), 'file');
    const disk = createDisk();
    writeNew(disk, createRandom(), path, newText);
    replaceFile(disk, createRandom(), path, oldText);
    expect(readFileSync(path, 'utf8')).toBe(oldText);
  });
});

describe('many files written together', () => {
  const writeThree = (disk: SimulatedDisk): void =>
    flushingOnce(disk, (batch) => {
      for (const name of ['a', 'b', 'c']) writeNew(batch, createSeededRandom(1), `/s/${name}`, newText);
      replaceFile(batch, createSeededRandom(1), '/s/file', newText);
    });

  test('flush their directory once, and are durable when that is done', () => {
    let flushes = 0;
    const disk = withOldFile();
    writeThree({
      ...disk,
      flushDirectory: (path) => {
        flushes += 1;
        disk.flushDirectory(path);
      },
    });
    expect(flushes).toBe(1);
    disk.loseUnflushed(() => true);
    expect(['a', 'b', 'c', 'file'].map((name) => disk.text(`/s/${name}`))).toEqual(Array(4).fill(newText));
    expect(disk.tree()).toEqual(['/s/', '/s/a', '/s/b', '/s/c', '/s/file']);
  });

  test('are each whole or not there after a power loss at any operation', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const random = createSeededRandom(seed);
      atEveryCrash(withOldFile, writeThree, (disk) => {
        disk.loseUnflushed(() => (random.chance(0.2) ? 'torn' : random.chance(0.5)));
        for (const name of ['a', 'b', 'c']) expect([null, newText]).toContain(readText(disk, `/s/${name}`));
        expect([oldText, newText]).toContain(readText(disk, '/s/file'));
      });
    }
  });
});

describe('reading a text', () => {
  const read = (path: string, maxBytes?: number) => {
    const disk = withOldFile();
    disk.putSymlink('/s/link', '/s/file');
    disk.putSpecial('/s/pipe', 'fifo');
    disk.put('/s/latin', Uint8Array.of(0x61, 0xe4));
    disk.put('/s/marked', '\ufeffa');
    disk.putSparse('/s/sparse', 2 ** 31);
    try {
      return readText(disk, path, maxBytes);
    } catch (error) {
      return diskCode(error);
    }
  };

  test('gives null for what is missing and a clear code for what is no file of ours', () => {
    expect(read('/s/no')).toBeNull();
    expect(read('/no/no')).toBeNull();
    expect(read('/s')).toBe('EISDIR');
    expect(read('/s/link')).toBe('ELOOP');
    expect(read('/s/pipe')).toBe('EINVAL');
    expect(read('/s/sparse')).toBe('EFBIG');
    expect(read('/s/file', 10)).toBe('EFBIG');
  });

  test('keeps a byte order mark and shows bytes that are not UTF-8', () => {
    expect(read('/s/marked')).toBe('\ufeffa');
    expect(read('/s/latin')).toBe('a\ufffd');
  });
});
