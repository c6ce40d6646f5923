import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { below } from '../bench/limits.ts';
import { atMost, sampleTurns, turnsRow } from '../bench/measure.ts';

test('a machine half as fast has twice the time, and a fast one no less than the limit', () => {
  expect(below(49, 50, 'ms', 1)).toEqual({ target: '< 50 ms', ok: true });
  expect(below(51, 50, 'ms', 1)).toMatchObject({ ok: false });
  expect(below(99, 50, 'ms', 2)).toEqual({ target: '< 50 ms × 2.0 for the slower machine', ok: true });
  expect(below(101, 50, 'ms', 2)).toMatchObject({ ok: false });
});

test('a row beside its base holds at the ratio and falls short above it, however slow both are', () => {
  for (const slow of [1, 10]) {
    expect(atMost(4, 4 * slow, slow)).toEqual({ target: '≤ 4×', ok: true });
    expect(atMost(4, 4.1 * slow, slow)).toMatchObject({ ok: false });
  }
  const order: string[] = [];
  const work = (name: string) => () => void order.push(name);
  const turns = sampleTurns(3, work('ours'), work('base'), 1);
  expect(order.join(' ')).toBe('ours base ours base ours base ours base');
  expect([turns.ours.length, turns.base.length]).toEqual([3, 3]);
  expect(turnsRow('a row', 'a base', 2, { ours: [1, 9, 3], base: [1, 2, 1] })).toEqual({
    name: 'a row',
    value: 3,
    unit: 'ms',
    base: { name: 'a base', value: 1 },
    target: '≤ 2×',
    ok: false,
    spread: { runs: 3, least: 1, most: 9 },
  });
});

test('each row of the bench has a base, and none a limit of time that a slow machine misses', () => {
  const folder = join(import.meta.dirname, '../bench/rows');
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    expect(text, name).not.toMatch(/base: null/);
    expect(text, name).not.toMatch(/target: '< [\d.,_]+ (?:ms|% of a core|µs)'/);
    // Only the frames of the screen have a limit in milliseconds: they wait for their turn.
    if (name !== 'screen.ts') expect(text, name).not.toMatch(/, 'ms'\)/);
  }
});
