import { expect, test } from 'vitest';
import { quotaEnd } from '../../src/agents/quota/quota-end.ts';

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
  ['resets Feb 18th, 2026 4:15 AM (Europe/Paris)', '2026-02-18T03:15'],
  ['Your weekly limit resets Feb 20 at 9am (America/New_York)', '2026-02-20T14:00'],
  ["You've hit your usage limit. Try again at Feb 23rd, 2026 4:15 PM.", '2026-02-23T14:15'],
  ['try again on 3 March 2026 at 10:00 UTC', '2026-03-03T10:00'],
  ['limit resets Monday 9:00 AM PST', '2026-02-16T17:00'],
  ['resets on Sun at 12:00', '2026-02-22T10:00'],
  ['resets Sunday at 1pm', '2026-02-15T11:00'],
  ['available again tomorrow at 8am', '2026-02-16T06:00'],
  ['resets Mar 1', '2026-02-28T22:00'],
  ['resets at 2026-02-17T04:15:00Z', '2026-02-17T04:15'],
  ['until 2026-02-17 04:15:00+05:30', '2026-02-16T22:45'],
  ['try again at Tue, 17 Feb 2026 04:15:00 GMT', '2026-02-17T04:15'],
  ['Claude AI usage limit reached|1771323300', '2026-02-17T10:15'],
  ['resets in 1 week', '2026-02-22T10:15'],
  ['resets in 1 month', '2026-03-17T10:15'],
  ['Retry after 500ms', '2026-02-15T10:15'],
  ['resets in 2 days, 3 hours', '2026-02-17T13:15'],
  ['resets 2am (Nowhere/Land)', '2026-02-16T00:00'],
  // In these zones the clocks change before that day.
  ['resets Mar 9 at 9am (America/New_York)', '2026-03-09T13:00'],
])('%j ends at %s', (words, end) => {
  expect(endOf(words)).toBe(end);
});

test.each([
  'Quota exceeded for requests per day',
  'resets 12',
  'resets 25:00',
  'resets 13pm',
  'try again in 900 days',
  'resets in 2 months',
  'resets Feb 3rd, 2026 4:15 AM',
  'resets Dec 24',
  'resets Feb 47 at 9am',
  'see the page again on the 5th floor',
  'try again in 0 seconds',
  'used 4:05 of it, in all',
  // A quarter of an hour ago here: no reason to wait for a day.
  'resets 12:00pm',
])('%j names no time', (words) => {
  expect(endOf(words)).toBeNull();
});
