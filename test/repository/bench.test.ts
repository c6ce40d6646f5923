import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { below } from '../bench/limits.ts';
import { atMost, type Row, sampleTurns, turnsRow } from '../bench/measure.ts';
import { isQuiet, tightened, withRatchet } from '../bench/ratchet.ts';

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

test('a row may take 1.3 times the ratio of a quiet machine, whatever its target, and a ratchet only tightens', () => {
  const row = (value: number, unit: Row['unit'] = 'ms'): Row => ({
    name: 'a row',
    value,
    unit,
    base: { name: 'a base', value: 100 },
    target: '≤ 25×',
    ok: true,
  });
  const ratchet = tightened({}, [row(400)]);
  expect(ratchet).toEqual({ 'a row': 4 });
  expect(withRatchet(row(519), ratchet)).toMatchObject({ ok: true });
  expect(withRatchet(row(521), ratchet)).toMatchObject({ ok: false, target: '≤ 5.20×' });
  expect(withRatchet(row(26, 'events/s'), { 'a row': 3 })).toMatchObject({ ok: true });
  expect(withRatchet(row(25, 'events/s'), { 'a row': 3 })).toMatchObject({ ok: false });
  expect(withRatchet({ ...row(1), ok: false }, ratchet)).toMatchObject({ ok: false });
  expect(tightened(ratchet, [row(600)])).toEqual(ratchet);
  expect(tightened(ratchet, [row(300)])).toEqual({ 'a row': 3 });
  expect(tightened({}, [{ ...row(Number.NaN), reason: 'it failed' }])).toEqual({});
  expect(isQuiet({ cores: 2, busy: 0.02, p50: 10, p95: 10.5 })).toBe(true);
  expect(isQuiet({ cores: 2, busy: 0.3, p50: 10, p95: 10.5 })).toBe(false);
  expect(isQuiet({ cores: 2, busy: 0.02, p50: 10, p95: 12 })).toBe(false);
});
