import type { Clock } from '../base/clock.ts';

/** Longer waits are not believed: a week is the longest limit of a known vendor. */
const longestMs = 7 * 24 * 3_600_000;

const minuteMs = 60_000;
const justPassedMs = 30 * minuteMs;
const dayMs = 24 * 60 * minuteMs;

const units: Readonly<Record<string, number>> = { s: 1_000, m: minuteMs, h: 60 * minuteMs, d: dayMs };

/** "try again in 2 hours 5 minutes", "retry after 32s". */
const spans = /\b(?:in|after)\s+((?:\d{1,5}\s*(?:d|h|m|s)[a-z]*[,\s]*(?:and\s+)?)+)/i;

/** "resets 2:59am", "resets at 3pm (UTC)", "try again at 14:05". */
const times = /\b(?:resets?|again)\s+(?:at\s+)?(\d{1,2})(?::(\d{2}))?\s*([ap])?\.?m?\.?(?:\s*\((UTC)\))?/i;

/**
 * When a used-up quota ends by the agent's own words, in milliseconds since the epoch; a time of day is the next one on the clock of this machine.
 * `null` where the words name no time, or one too far away.
 */
export const quotaEnd = (words: string, clock: Pick<Clock, 'now' | 'offsetMinutes'>): number | null => {
  const now = clock.now();
  const until = spanEnd(words, now) ?? timeEnd(words, now, clock.offsetMinutes(now));
  return until !== null && until > now && until - now <= longestMs ? until : null;
};

const spanEnd = (words: string, now: number): number | null => {
  const [, span] = spans.exec(words) ?? [];
  if (span === undefined) return null;
  const parts = [...span.matchAll(/(\d{1,5})\s*([dhms])/gi)];
  return parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * (units[(unit ?? '').toLowerCase()] ?? 0),
    now,
  );
};

const timeEnd = (words: string, now: number, offset: number): number | null => {
  const [, hours, minutes, half, zone] = times.exec(words) ?? [];
  // "resets 12" alone may be anything.
  if (hours === undefined || (minutes === undefined && half === undefined)) return null;
  const [hour, minute] = [Number(hours), Number(minutes ?? 0)];
  if (minute > 59 || hour > (half === undefined ? 23 : 12) || (half !== undefined && hour < 1)) return null;
  const ofDay = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const shift = zone === undefined ? offset * minuteMs : 0;
  const midnight = Math.floor((now + shift) / dayMs) * dayMs - shift;
  const at = midnight + (ofDay * 60 + minute) * minuteMs;
  if (at > now) return at;
  // It has just passed: the next try comes soon, not after a day.
  return now - at < justPassedMs ? null : at + dayMs;
};
