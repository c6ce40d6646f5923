import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { regenerate } from '../helpers/readme-blocks.ts';
import { readSources, root } from '../helpers/source-tree.ts';

const file = join(root, 'README.md');
const readme = readFileSync(file, 'utf8');

/** `vitest run test/repository -u` writes the tables anew. */
test('the tables of the README are those of the code: commands, keys, event types', async () => {
  await expect(regenerate(readme)).toMatchFileSnapshot(file);
});

test('the README prints all eleven invariants, each with the test that guards it', () => {
  const from = readme.indexOf('### Invariants');
  const section = readme.slice(from, readme.indexOf('\n## ', from));
  const rows = section.split('\n').filter((line) => /^\| \d+ +\|/.test(line));
  expect(rows.map((row) => Number(row.split('|')[1]))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  const guards = rows.map((row) => /`(test\/[^`]+)`/.exec(row)?.[1] ?? 'none');
  for (const guard of guards) expect(() => readFileSync(join(root, guard))).not.toThrow();
});

test('every file and folder of the program that the README names is there', () => {
  const paths = new Set(readSources().flatMap(({ path }) => [path, ...foldersOf(path)]));
  const named = [...readme.matchAll(/`((?:src|components|hooks)\/[\w./-]+)`/g)].map(
    (match) => match[1]?.replace(/\/$/, '') ?? '',
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((path) => !paths.has(path))).toEqual([]);
});

const foldersOf = (path: string): readonly string[] => {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, index).join('/'));
};
