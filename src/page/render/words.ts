import { formatElapsed, formatTimeOfDay } from '../../words/local-time.ts';

/** "0:07"; below ten seconds with a tenth: "0.4 s". */
export const elapsed = (ms: number): string =>
  ms < 50 ? '< 0.1 s' : ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : formatElapsed(ms);

/** "14:05" with the day where it is not the day of `base`. */
export const timeOfDay = (at: string | number, base: string, offset: number): string => {
  const ms = typeof at === 'number' ? at : Date.parse(at);
  return Number.isNaN(ms) ? '' : formatTimeOfDay(ms, { ms: Date.parse(base), offset });
};

/** "14:05:09". */
export const clockTime = (at: string | number, offset: number): string => {
  const ms = typeof at === 'number' ? at : Date.parse(at);
  return Number.isNaN(ms) ? '' : new Date(ms + offset * 60_000).toISOString().slice(11, 19);
};

/** "23 November 2026, 14:42". */
export const longDate = (at: string, offset: number): string => {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return '';
  const iso = new Date(ms + offset * 60_000).toISOString();
  const month = months[Number(iso.slice(5, 7)) - 1] ?? '';
  return `${Number(iso.slice(8, 10))} ${month} ${iso.slice(0, 4)}, ${iso.slice(11, 16)}`;
};

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
