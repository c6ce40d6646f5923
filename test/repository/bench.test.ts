import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atLeast, below } from '../bench/limits.ts';

test('a machine half as fast has twice the time, and a fast one no less than the limit', () => {
  expect(below(49, 50, 'ms', 1)).toEqual({ target: '< 50 ms', ok: true });
  expect(below(51, 50, 'ms', 1)).toMatchObject({ ok: false });
  expect(below(99, 50, 'ms', 2)).toEqual({ target: '< 50 ms × 2.0 for the slower machine', ok: true });
  expect(below(101, 50, 'ms', 2)).toMatchObject({ ok: false });
  expect(atLeast(130_000, 250_000, 'events/s', 2)).toMatchObject({ ok: true });
  expect(atLeast(130_000, 250_000, 'events/s', 1)).toMatchObject({ ok: false });
});

test('each row of the bench has a base, and none a limit of time that a slow machine misses', () => {
  const folder = join(import.meta.dirname, '../bench/rows');
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    expect(text, name).not.toMatch(/base: null/);
    expect(text, name).not.toMatch(/target: '< [\d.,_]+ (?:ms|% of a core|µs)'/);
  }
});
