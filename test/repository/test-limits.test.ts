import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesBelow, root } from '../helpers/source-tree.ts';

/** Limits of a test's own: of the test or a hook, of a wait, and of time that was measured by the clock. */
const ownLimits = [
  /^\s*\}, [\d_]{4,}\);$/,
  /\{ timeout: [\d_]+(?:,| \}[,)])/,
  /\.waitFor\(.*, [\d_]+\);/,
  /(?:performance|Date)\.now\(\) - \w+\)\.toBeLess/,
];

const found = (line: string): boolean => ownLimits.some((pattern) => pattern.test(line));

/** Here the time is what is promised, or the limit is an example. */
const promised: ReadonlySet<string> = new Set([
  'test/mcp/tool-server.test.ts',
  'test/repository/test-limits.test.ts',
]);

test('no test has a limit by the clock of its own: test/helpers/limits.ts has those of all', () => {
  const files = filesBelow(['test'], /\.test\.tsx?$/).filter((path) => !promised.has(path));
  expect(
    files.flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line, at) => (found(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
    ),
  ).toEqual([]);
});

test.each([
  '}, 60_000);',
  '  await expect.poll(left, { timeout: 5_000 }).toBe(0);',
  "test('x', { timeout: 10_000 }, () => {",
  "  await terminal.waitFor('there', 30_000);",
  '  expect(performance.now() - start).toBeLessThan(5_000);',
])('it finds %s', (line) => {
  expect(found(line)).toBe(true);
});
