import { expect, test } from 'vitest';
import { formatElapsed, formatRunning, formatWait } from '../../src/words/local-time.ts';

const minute = 60_000;

test('every length of time has one form of at most five cells', () => {
  const times = [-1, 7_400, 12 * minute + 5_000, 60 * minute - 1, 62 * minute, 120 * 60 * minute];
  expect(times.map(formatElapsed)).toEqual(['0:00', '0:07', '12:05', '59:59', '1h02', '120h']);
});

test('a screen that is drawn once a minute shows no running seconds', () => {
  const times = [7_400, 12 * minute + 5_000, 62 * minute];
  expect(times.map((ms) => formatRunning(ms, { ms: 0, offset: 0, byMinutes: true }))).toEqual([
    '<1m',
    '12m',
    '1h02',
  ]);
  expect(times.map((ms) => formatRunning(ms, { ms: 0, offset: 0 }))).toEqual(['0:07', '12:05', '1h02']);
});

test('a wait shows its start there, and its length on a screen that ticks', () => {
  const [since, ms] = ['2026-02-15T03:15:09.000Z', Date.UTC(2026, 1, 15, 3, 15, 48)];
  expect(formatWait(since, { ms, offset: 60, byMinutes: true })).toBe('since 04:15');
  expect(formatWait(since, { ms, offset: 60 })).toBe('0:39');
});
