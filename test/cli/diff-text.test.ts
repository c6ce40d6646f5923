import { expect, test } from 'vitest';
import { createTheme } from '../../components/theme.ts';
import { formatStat, paintDiff } from '../../src/cli/report/diff-text.ts';
import { withoutStyles } from '../../src/words/width.ts';

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
