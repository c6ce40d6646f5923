import { expect, test } from 'vitest';
import { quotaEnd } from '../../src/agents/quota-end.ts';

/** 2026-02-15 at 10:15 UTC, on a machine two hours ahead of that: 12:15. */
const clock = { now: () => Date.UTC(2026, 1, 15, 10, 15), offsetMinutes: () => 120 };

const endOf = (words: string): string | null => {
  const end = quotaEnd(words, clock);
  return end === null ? null : new Date(end).toISOString().slice(0, 16);
};

test.each([
  ["You've hit your limit · resets 2:59am", '2026-02-16T00:59'],
  ['Usage limit reached, resets at 3pm', '2026-02-15T13:00'],
  ['limit reached ∙ resets 3pm (UTC)', '2026-02-15T15:00'],
  ['Please try again at 14:05.', '2026-02-15T12:05'],
  ['resets 12am', '2026-02-15T22:00'],
  ['Your quota will reset after 2h5m10s.', '2026-02-15T12:20'],
  ['try again in 5 minutes', '2026-02-15T10:20'],
  ['Retry after 32s', '2026-02-15T10:15'],
])('%j ends at %s', (words, end) => {
  expect(endOf(words)).toBe(end);
});

test.each([
  'Quota exceeded for requests per day',
  'resets 12',
  'resets 25:00',
  'resets 13pm',
  'try again in 900 days',
  'try again in 0 seconds',
  'used 4:05 of it, in all',
  // A quarter of an hour ago here: no reason to wait for a day.
  'resets 12:00pm',
])('%j names no time', (words) => {
  expect(endOf(words)).toBeNull();
});
