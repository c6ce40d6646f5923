import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rowLine } from '../../components/changes/diff-lines.ts';
import { createTheme } from '../../components/draw/theme.ts';
import { formatStat, paintDiff } from '../../src/cli/report/diff-text.ts';
import { diffFiles } from '../../src/page/model/page-changes.ts';
import { parseDiff, rowKind } from '../../src/words/diff/diff.ts';
import { withoutStyles } from '../../src/words/width.ts';
import { git, repositoryWith } from '../helpers/repository.ts';

const text = `diff --git a/a.ts b/a.ts
index 1..2 100644
--- a/a.ts
+++ b/a.ts
@@ -1,2 +1,2 @@ f
 same
-const hi = "hi";
+const hi = "hello";
\\ No newline at end of file
diff --git a/\u001b[2Jb.ts b/\u001b[2Jb.ts
old mode 100644
new mode 100755
`;

const theme = createTheme({ colours: '16', ascii: false, background: 'dark' });

test("a diff on a terminal is git's own text in colours, with the words that changed", () => {
  const painted = paintDiff(text, theme);
  expect(withoutStyles(painted)).toBe(text.replaceAll('\u001b', '\\u001b').trimEnd());
  expect(painted).toContain('\u001b[91m-const hi = "\u001b[0m\u001b[91;1;4mhi\u001b[0m\u001b[91m";\u001b[0m');
  expect(painted).toContain('\u001b[94m@@ -1,2 +1,2 @@ f\u001b[0m');
  expect(painted).toContain('\u001b[1mnew mode 100755\u001b[0m');
});

test('a line of a million characters is printed whole', () => {
  const long = `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-${'x'.repeat(10_000)}\n+${'y'.repeat(10_000)}\n`;
  expect(withoutStyles(paintDiff(long, theme))).toBe(long.trimEnd());
});

test('the counts stand in columns, and say what else happened to a file', () => {
  const files = [
    { path: 'a.ts', added: 10, removed: 1 },
    { path: '\u001b[2Jb.ts', added: 0, removed: 0 },
    { path: 'a long name.png', added: null, removed: null },
  ];
  const plain =
    'a.ts             +10 -1\nb.ts             +0  -0  made executable\na long name.png\n3 files, +10 -1';
  const stat = (look: typeof theme | null) => formatStat(files, text, look);
  expect(withoutStyles(stat(theme))).toBe(stat(null));
  expect(stat(null)).toBe(plain);
});

test('a link that became a file, and a file that became a link, are called the same in the sums, on the screen and on the page', () => {
  const repository = repositoryWith({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  symlinkSync('a.txt', join(repository, 'link'));
  git(repository, 'add', '.');
  git(repository, 'commit', '-qm', 'link');
  rmSync(join(repository, 'link'));
  writeFileSync(join(repository, 'link'), 'now a file\n');
  rmSync(join(repository, 'b.txt'));
  symlinkSync('a.txt', join(repository, 'b.txt'));
  const told = git(repository, 'diff', 'HEAD');
  const diff = parseDiff(told);
  const look = { diff, theme, width: 80, left: 0, wanted: '', digits: 2 };
  const heads = [...diff.kinds.keys()]
    .filter((row) => diff.kinds[row] === rowKind.file)
    .map((row) => rowLine(row, look).map((cell) => cell.text));
  const onPage = diffFiles(told, { linesOfFile: 10, linesInAll: 100 });
  const files = ['b.txt', 'link'].map((path) => ({ path, added: 1, removed: 1 }));
  const sums = formatStat(files, told, null).split('\n');
  for (const [path, words] of [
    ['b.txt', 'file → link'],
    ['link', 'link → file'],
  ] as const) {
    expect(onPage.filter((file) => file.path === path).map((file) => file.words)).toEqual([words, words]);
    expect(heads.filter((cells) => cells.includes(path)).map((cells) => cells.join(''))).toEqual([
      expect.stringContaining(` · ${words}`),
      expect.stringContaining(` · ${words}`),
    ]);
    expect(sums.find((line) => line.startsWith(path))).toMatch(new RegExp(` ${words}$`));
  }
  expect(told).toContain('deleted file mode 120000');
});
