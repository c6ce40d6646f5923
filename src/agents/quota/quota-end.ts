import type { Clock } from '../../base/clock.ts';
import { type NamedDay, namedDay } from './named-date.ts';
import { momentOf, type Zone, zoneNamed } from './zone.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Longer waits are not believed: a month is the longest limit of a known vendor. */
const longestMs = 32 * dayMs;
const justPassedMs = 30 * minuteMs;

/** By how their names begin; the longer beginning comes first. */
const units: Readonly<Record<string, number>> = {
  ms: 1,
  mo: 30 * dayMs,
  s: 1_000,
  m: minuteMs,
  h: hourMs,
  d: dayMs,
  w: 7 * dayMs,
};

/** "try again in 2 hours 5 minutes", "retry after 32s", "resets in 1 week". */
const spans = /\b(?:in|after)\s+((?:\d{1,5}\s*(?:ms|mo|w|d|h|m|s)[a-z]*[,\s]*(?:and\s+)?)+)/i;

/** What a time follows: "resets", "try again", "available again", "until", and how Claude Code ends its line: "reached|1784772900". */
const anchors =
  /\b(?:resets?|renews?|refreshes|again|available|until)\b(?:\s+(?:at|on|by))?\s*[:·∙]?|\breached\s*\|/gi;

/** Characters of a moment in words, its zone included. */
const window = 80;

/**
 * When a used-up quota ends by the agent's own words, in milliseconds since the epoch; a time without a zone is one on the clock of this machine, a time
 * without a day the next one. `null` where the words name no time, or one too far away.
 */
export const quotaEnd = (words: string, clock: Pick<Clock, 'now' | 'offsetMinutes'>): number | null => {
  const now = clock.now();
  const named = [...words.matchAll(anchors)].map(({ 0: anchor, index }) =>
    words.slice(index + anchor.length, index + anchor.length + window),
  );
  const ends = [spanEnd(words, now), ...named.map((text) => momentIn(text, now, clock))];
  return ends.find((until) => until !== null && until > now && until - now <= longestMs) ?? null;
};

const spanEnd = (words: string, now: number): number | null => {
  const [, span] = spans.exec(words) ?? [];
  if (span === undefined) return null;
  const parts = [...span.matchAll(/(\d{1,5})\s*(ms|mo|[wdhms])/gi)];
  return parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * (units[(unit ?? '').toLowerCase()] ?? 0),
    now,
  );
};

const momentIn = (text: string, now: number, clock: Pick<Clock, 'offsetMinutes'>): number | null => {
  const [, seconds, rest = ''] = /^\s*(\d{10})(\d{3})?\b/.exec(text) ?? [];
  if (seconds !== undefined) return Number(`${seconds}${rest || '000'}`);
  const zone = zoneIn(text) ?? ((at: number) => clock.offsetMinutes(at));
  const day = namedDay(text);
  const time = timeIn(day === null ? text : day.rest);
  if (day === null) return time === null ? null : nextTime(time, now, zone);
  return dayEnd(day.named, time ?? 0, now, zone);
};

/** A name in brackets, or behind a time: "4:15 AM (Europe/Paris)", "9am PST", "04:15:00Z", "04:15+02:00". */
const zoneIn = (text: string): Zone | null => {
  const [, bracketed = ''] = /\(([^()]{1,40})\)/.exec(text) ?? [];
  const [, behind = ''] =
    /\d\s*(?:[ap]\.?m\.?)?\s*((?:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?\b|\b[A-Z]{2,5}\b(?!\/)|Z\b|[A-Z][a-z]+\/[A-Z][A-Za-z_/]+)/.exec(
      text.replace(/\b(\d{4})-(\d{2})-(\d{2})(?!\d)/, '$1 $2 $3').replace(/\b[AP]M\b/g, 'am'),
    ) ?? [];
  return zoneNamed(bracketed) ?? zoneNamed(behind);
};

/** Minutes since midnight. "12" alone may be anything. */
const timeIn = (text: string): number | null => {
  if (/\bnoon\b/i.test(text)) return 12 * 60;
  if (/\bmidnight\b/i.test(text)) return 0;
  const match = /(?:^|[\s,T])(?:at\s+)?(\d{1,2})(?::(\d{2}))?(?::\d{2}(?:\.\d+)?)?\s*(?:([ap])\.?m\b\.?)?/i;
  const [, hours, minutes, half] = match.exec(text) ?? [];
  if (hours === undefined || (minutes === undefined && half === undefined)) return null;
  const [hour, minute] = [Number(hours), Number(minutes ?? 0)];
  if (minute > 59 || hour > (half === undefined ? 23 : 12) || (half !== undefined && hour < 1)) return null;
  return (half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)) * 60 + minute;
};

/** The midnight before a moment, on the clock of a zone and written as if it were UTC. */
const midnightOf = (at: number, zone: Zone): number => Math.floor((at + zone(at) * minuteMs) / dayMs) * dayMs;

const nextTime = (time: number, now: number, zone: Zone): number | null => {
  const at = momentOf(midnightOf(now, zone) + time * minuteMs, zone);
  if (at > now) return at;
  // It has just passed: the next try comes soon, not after a day.
  return now - at < justPassedMs ? null : momentOf(midnightOf(now, zone) + dayMs + time * minuteMs, zone);
};

const dayEnd = (named: NamedDay, time: number, now: number, zone: Zone): number => {
  const today = midnightOf(now, zone);
  const on = (midnight: number): number => momentOf(midnight + time * minuteMs, zone);
  if (named.kind === 'tomorrow') return on(today + dayMs);
  if (named.kind === 'weekday') {
    const ahead = (named.weekday - new Date(today).getUTCDay() + 7) % 7;
    const at = on(today + ahead * dayMs);
    return at > now ? at : on(today + (ahead + 7) * dayMs);
  }
  const year = named.year ?? new Date(today).getUTCFullYear();
  const at = on(Date.UTC(year, named.month - 1, named.day));
  // In December "Jan 2" is in the next year.
  return at > now || named.year !== null ? at : on(Date.UTC(year + 1, named.month - 1, named.day));
};
