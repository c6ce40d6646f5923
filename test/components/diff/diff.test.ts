import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Diff, type DiffFile, parseDiff, rowKind } from '../../../src/words/diff/diff.ts';
import { fileWords } from '../../../src/words/diff/file-words.ts';
import { rowText } from '../../../src/words/diff/row-text.ts';
import { repositoryWith } from '../../helpers/repository.ts';

const letters = ['f', '@', ' ', '-', '+', '\\', '.'] as const;

/** Each row as `kind before after text`. */
const shown = (diff: Diff): readonly string[] =>
  Array.from(diff.kinds, (kind, row) =>
    [letters[kind], diff.before[row] || '', diff.after[row] || '', rowText(diff, row)].join('|'),
  );

const facts = ({ top, end, garbled, ...file }: DiffFile) => file;

test('rows carry the line numbers of both sides, and a file counts what it gained and lost', () => {
  const diff = parseDiff(
    [
      'diff --git a/src/a.ts b/src/a.ts',
      'index 1..2 100644',
      '--- a/src/a.ts',
      '+++ b/src/a.ts',
      '@@ -10,3 +10,3 @@ export const a',
      ' same',
      '-old',
      '--- looks like a head',
      '+new',
      '\\ No newline at end of file',
      'diff --git a/b.txt b/b.txt',
      'new file mode 100644',
      '--- /dev/null',
      '+++ b/b.txt',
      '@@ -0,0 +1 @@',
      '+one',
      '',
    ].join('\n'),
  );
  expect(shown(diff)).toEqual([
    'f|||',
    '@|10|10|@@ -10,3 +10,3 @@ export const a',
    ' |10|10|same',
    '-|11||old',
    '-|12||-- looks like a head',
    '+||11|new',
    '\\|||No newline at end of file',
    '.|||',
    'f|||',
    '@||1|@@ -0,0 +1 @@',
    '+||1|one',
  ]);
  expect(
    diff.files.map(({ path, kind, added, removed, top, end }) => [path, kind, added, removed, top, end]),
  ).toEqual([
    ['src/a.ts', 'changed', 1, 2, 0, 7],
    ['b.txt', 'added', 1, 0, 8, 11],
  ]);
  expect(diff.hunks).toEqual([1, 9]);
});

test('what git itself says of renames, modes, binaries, deletions and odd names is understood', () => {
  const workspace = repositoryWith({
    'old name.txt': 'one\ntwo\nthree\nfour\nfive\n',
    'run.sh': 'echo\n',
    'gone.txt': 'x\n',
    'blob.bin': 'a\0b',
    'ü"\t.txt': '1\n',
    'latin.txt': 'x\n',
  });
  renameSync(join(workspace, 'old name.txt'), join(workspace, 'b b.txt'));
  chmodSync(join(workspace, 'run.sh'), 0o755);
  rmSync(join(workspace, 'gone.txt'));
  writeFileSync(join(workspace, 'blob.bin'), 'a\0c');
  writeFileSync(join(workspace, 'ü"\t.txt'), '2\n');
  writeFileSync(join(workspace, 'latin.txt'), Buffer.from('gr\xfc\xdfe\n', 'latin1'));
  mkdirSync(join(workspace, 'sub dir'));
  writeFileSync(join(workspace, 'sub dir/empty'), '');
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: workspace, encoding: 'utf8' });
  git('add', '-A');
  const diff = parseDiff(git('diff', '--cached', '-M'));
  const byPath = new Map(diff.files.map((file) => [file.path, file]));
  const plain = { from: null, kind: 'changed', modes: null, binary: false, added: 0, removed: 0 };
  expect([...byPath.keys()].sort()).toEqual(
    ['b b.txt', 'blob.bin', 'gone.txt', 'latin.txt', 'run.sh', 'sub dir/empty', 'ü"\t.txt'].sort(),
  );
  const factsOf = (path: string) => facts(byPath.get(path) ?? raise(path));
  expect(factsOf('b b.txt')).toEqual({ ...plain, path: 'b b.txt', kind: 'renamed', from: 'old name.txt' });
  expect(factsOf('run.sh')).toEqual({ ...plain, path: 'run.sh', modes: ['100644', '100755'] });
  expect(factsOf('blob.bin')).toEqual({ ...plain, path: 'blob.bin', binary: true });
  expect(factsOf('gone.txt')).toEqual({ ...plain, path: 'gone.txt', kind: 'deleted', removed: 1 });
  expect(factsOf('sub dir/empty')).toEqual({ ...plain, path: 'sub dir/empty', kind: 'added' });
  expect(factsOf('ü"\t.txt')).toMatchObject({ added: 1, removed: 1 });
  expect(byPath.get('latin.txt')?.garbled).toBe(true);
  expect(byPath.get('gone.txt')?.garbled).toBe(false);
});

const raise = (path: string): never => {
  throw new Error(`git named no ${path}`);
};

test('whatever the text holds, its rows are parts of it in order, and no file is outside of the rows', () => {
  const line = fc.oneof(
    fc.constantFrom(
      'diff --git a/x b/x',
      '@@ -1 +1 @@',
      '@@ -7,3 +8,2 @@ f',
      '--- a/x',
      '+++ b/x',
      '',
      '\\ No',
    ),
    fc.string({ maxLength: 8 }),
    fc.string({ maxLength: 8 }).map((text) => `+${text}`),
    fc.string({ maxLength: 8 }).map((text) => `-${text}`),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
      const diff = parseDiff(lines.join('\n'));
      const places = [...diff.places];
      expect(places).toEqual([...places].sort((a, b) => a - b));
      for (const { top, end } of diff.files) expect(top < end && end <= diff.kinds.length).toBe(true);
      expect(diff.files.reduce((sum, { added }) => sum + added, 0)).toBe(
        [...diff.kinds].filter((kind) => kind === rowKind.added).length,
      );
    }),
  );
});

test('50,000 lines take a few arrays, not an object a line', () => {
  const body = Array.from({ length: 25_000 }, (_, index) => `-old line ${index}\n+new line ${index}\n`).join(
    '',
  );
  const diff = parseDiff(`diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,25000 +1,25000 @@\n${body}`);
  expect(diff.kinds.length).toBe(50_002);
  expect(diff.after.at(-1)).toBe(25_000);
  const bytes = [diff.kinds, diff.places, diff.before, diff.after].reduce(
    (sum, { byteLength }) => sum + byteLength,
    0,
  );
  expect(bytes).toBeLessThan(50_002 * 14);
  expect(diff.hunks).toHaveLength(1);
});

test('a link that became a file is said to be that in both of its parts, and a deleted and a new file are not', () => {
  const parts = [
    'diff --git a/f b/f',
    'deleted file mode 120000',
    '--- a/f',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-x',
    'diff --git a/f b/f',
    'new file mode 100644',
    '--- /dev/null',
    '+++ b/f',
    '@@ -0,0 +1 @@',
    '+x',
    'diff --git a/g b/g',
    'new file mode 100644',
    '',
  ];
  const { files } = parseDiff(parts.join('\n'));
  expect(files.map((file) => `${file.path} ${fileWords(file)}`)).toEqual([
    'f link → file',
    'f link → file',
    'g new',
  ]);
});
