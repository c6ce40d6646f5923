import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limits } from '../helpers/limits.ts';
import { filesBelow, root } from '../helpers/source-tree.ts';

/** Limits of a test's own, in milliseconds where they are a number: of the test or a hook, of a wait, and of time that was measured by the clock. */
const ownLimits = [
  /^\s*\}, ([\d_]{4,})\);$/gm,
  /^\s+([\d_]{4,}),\n\s*\);$/gm,
  /\{ timeout: ([\d_]+)(?:,| \}[,)])/g,
  /\.waitFor\(.*, ([\d_]+)\);/g,
  /(?:performance|Date)\.now\(\) - \w+\)\.toBeLess/g,
];

const found = (text: string): readonly string[] =>
  ownLimits.flatMap((pattern) =>
    [...text.matchAll(pattern)]
      .filter(([, ms = '0']) => Number(ms.replaceAll('_', '')) < limits.test)
      .map(({ index, 0: all }) => `${text.slice(0, index).split('\n').length}: ${all.trim()}`),
  );

/** Here the time is what is promised, or the limit is an example. */
const promised: ReadonlySet<string> = new Set([
  'test/mcp/tool-server.test.ts',
  'test/repository/test-limits.test.ts',
]);

test('no test has a limit by the clock of its own: test/helpers/limits.ts has those of all', () => {
  const files = filesBelow(['test'], /\.test\.tsx?$/).filter((path) => !promised.has(path));
  expect(
    files.flatMap((path) => found(readFileSync(join(root, path), 'utf8')).map((limit) => `${path}:${limit}`)),
  ).toEqual([]);
});

test.each([
  '}, 60_000);',
  'test(\n  async () => {},\n  60_000,\n);',
  '  await expect.poll(left, { timeout: 5_000 }).toBe(0);',
  "test('x', { timeout: 10_000 }, () => {",
  "  await terminal.waitFor('there', 30_000);",
  '  expect(performance.now() - start).toBeLessThan(5_000);',
])('it finds %j', (text) => {
  expect(found(text)).toHaveLength(1);
});

test('a limit above that of all is none of these', () => {
  expect(found('}, 3_600_000);')).toEqual([]);
});
