import { expect, test } from 'vitest';
import { parseDiff } from '../../../src/words/diff/diff.ts';
import { pairRows } from '../../../src/words/diff/pair-rows.ts';
import { rowText } from '../../../src/words/diff/row-text.ts';

test('in two columns a removed line stands beside the added one in its place, and the rest beside nothing', () => {
  const diff = parseDiff(
    [
      'diff --git a/a b/a',
      '--- a/a',
      '+++ b/a',
      '@@ -1,4 +1,4 @@',
      ' same',
      '-one',
      '-two',
      '\\ No newline at end of file',
      '+ONE',
      ' end',
      '+new',
      '',
    ].join('\n'),
  );
  const { left, right, lineOf, partner } = pairRows(diff);
  const text = (row: number): string => (row < 0 ? '' : rowText(diff, row));
  expect(Array.from(left, (row, line) => [text(row), text(right[line] ?? -1)])).toEqual([
    ['', ''],
    ['@@ -1,4 +1,4 @@', '@@ -1,4 +1,4 @@'],
    ['same', 'same'],
    ['one', 'ONE'],
    ['two', ''],
    ['No newline at end of file', ''],
    ['end', 'end'],
    ['', 'new'],
  ]);
  expect([...lineOf]).toEqual([0, 1, 2, 3, 4, 5, 3, 6, 7]);
  expect([...partner]).toEqual([-1, -1, -1, 6, -1, -1, 3, -1, -1]);
});
