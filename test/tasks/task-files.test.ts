import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedFiles, markFiles, missingFiles } from '../../src/agents/backends/script/file-marks.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { detectStreams } from '../../src/issues/streams/streams.ts';
import { conflict } from '../../src/pipeline/scheduling/start.ts';
import { entriesOverlap, isDeclared, overlappingFiles } from '../../src/tasks/task-files.ts';
import { taskOf } from '../helpers/role-port.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const names = ['a', 'b', 'ab', '[id]', 'a.ts', 'b.ts'];
const wild = ['*', '**', '?', '*.ts', '[ab]', '{a,b}', '{a,b/a}.ts', 'a*'];

const path = fc
  .array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join('/'));
const entry = fc
  .array(fc.constantFrom(...names, ...wild), { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join('/'));
/** A tree: no file lies below another. */
const tree = fc
  .uniqueArray(path, { minLength: 1, maxLength: 8 })
  .map((paths) => paths.filter((one) => !paths.some((other) => other.startsWith(`${one}/`))));

const write = (root: string, files: readonly string[], text: string): void => {
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
};

describe('files that a task declares', () => {
  it('mean the same in scheduling, streams, marks and the check that they exist', () => {
    const disk = createDisk();
    fc.assert(
      fc.property(tree, entry, entry, (files, one, two) => {
        const root = tempDir();
        write(root, files, 'one');
        const meant = files.filter((file) => isDeclared({ files: [one] }, file));
        expect(missingFiles(disk, root, [one]).length === 0).toBe(meant.length > 0);
        const marks = markFiles(disk, root, [one]);
        expect(Object.keys(marks).filter((file) => marks[file] !== 'absent')).toEqual(
          expect.arrayContaining(meant.filter((file) => !files.includes(one) || file === one)),
        );
        write(root, files, 'other text');
        const seen = changedFiles(marks, markFiles(disk, root, [one]));
        for (const file of seen) expect(meant).toContain(file);
        // What both mean, both tasks may change: they never run together, and share a stream.
        if (meant.some((file) => isDeclared({ files: [two] }, file))) {
          expect(entriesOverlap(one, two)).toBe(true);
          expect(entriesOverlap(two, one)).toBe(true);
          expect(conflict(taskOf({ files: [one] }), taskOf({ files: [two] }))).toBe(true);
          const issues = ['1', '2'].map((id) => ({ id, blockedBy: [] }));
          expect(
            detectStreams(
              issues,
              new Map([
                ['1', [one]],
                ['2', [two]],
              ]),
            ),
          ).toHaveLength(1);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('match what a glob of another implementation matches', () => {
    fc.assert(
      fc.property(path, entry, (file, pattern) => {
        if (file.includes('[id]')) return;
        const above = file.split('/').map((_, at, all) => all.slice(0, at + 1).join('/'));
        expect(isDeclared({ files: [pattern] }, file)).toBe(above.some((each) => matchesGlob(each, pattern)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('mean the file of their own name too', () => {
    expect(isDeclared({ files: ['app/[id]/page.tsx'] }, 'app/[id]/page.tsx')).toBe(true);
    expect(isDeclared({ files: ['a{b,c}'] }, 'a{b,c}')).toBe(true);
  });

  it('find the same path, a directory above and a pattern, and nothing else', () => {
    const a = { files: ['./src/a.ts', 'docs', 'lib/**/*.js', 'README.md'] };
    expect(overlappingFiles(a, { files: ['src/a.ts'] })).toEqual(['./src/a.ts']);
    expect(overlappingFiles(a, { files: ['docs/x/y.md'] })).toEqual(['docs']);
    expect(overlappingFiles(a, { files: ['lib/deep/x.js'] })).toEqual(['lib/**/*.js']);
    expect(overlappingFiles(a, { files: ['src/ab.ts', 'docsify', 'README'] })).toEqual([]);
    expect(overlappingFiles({ files: ['src/*.ts'] }, { files: ['src/*.md', 'src/deep/a.ts'] })).toEqual([]);
  });

  it('of two patterns overlap unless their fixed starts or ends tell them apart', () => {
    expect(entriesOverlap('src/deep/er/a.ts', 'src/**/a.ts')).toBe(true);
    expect(entriesOverlap('src/**/a.ts', 'src/deep/er/a.ts')).toBe(true);
    expect(entriesOverlap('lib/deep/er/a.ts', 'src/**/a.ts')).toBe(false);
    expect(entriesOverlap('src/*.ts', 'src/a*.test.ts')).toBe(true);
    expect(entriesOverlap('src/a*.ts', 'src/*')).toBe(true);
    expect(entriesOverlap('src/a*.ts', 'src/b*.ts')).toBe(false);
    expect(entriesOverlap('src/*.ts', 'src/*.md')).toBe(false);
  });

  it('with more choices in braces than a person writes cover all below the first', () => {
    const many = `src/${'{a,b,c}'.repeat(6)}/x.ts`;
    expect(isDeclared({ files: [many] }, 'src/anything.ts')).toBe(true);
    expect(isDeclared({ files: [many] }, 'lib/anything.ts')).toBe(false);
  });
});
