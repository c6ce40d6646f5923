/** The current time for texts: milliseconds since the epoch, and minutes east of UTC for times of day. */
export interface LocalTime {
  readonly ms: number;
  readonly offset: number;
  /** The screen is drawn once a minute: running seconds would stand still, and jump at a key press. */
  readonly byMinutes?: boolean;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** A length of time in at most five cells: `0:07`, `59:05`, `1h02`, `120h`. Negative times become zero, as after the clock was set back. */
export const formatElapsed = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  const hours = Math.floor(minutes / 60);
  return hours < 100 ? `${hours}h${two(minutes % 60)}` : `${hours}h`;
};

/** The same for a time that is still running. A screen that is drawn once a minute shows it in minutes: `<1m`, `12m`. */
export const formatRunning = (ms: number, { byMinutes }: LocalTime): string => {
  const minutes = Math.floor(Math.max(0, ms) / 60_000);
  if (byMinutes !== true || minutes >= 60) return formatElapsed(ms);
  return minutes < 1 ? '<1m' : `${minutes}m`;
};

/** The running time since an ISO instant. */
export const formatSince = (since: string, now: LocalTime): string =>
  formatRunning(now.ms - Date.parse(since), now);

/** The same for a wait. A screen that is drawn once a minute shows when it began, which stays true until it is drawn again: `since 12:05`. */
export const formatWait = (since: string, now: LocalTime): string =>
  now.byMinutes === true ? `since ${formatTimeOfDay(Date.parse(since), now)}` : formatSince(since, now);

/** The start of work moved later by its held time, ISO 8601. */
export const workingSince = (startedAt: string, heldMs: number): string =>
  heldMs === 0 ? startedAt : new Date(Date.parse(startedAt) + heldMs).toISOString();

/** Time ago in one unit: `just now`, `5 min ago`, `3 h ago`, `2 d ago`. */
export const formatAgo = (since: string, now: LocalTime): string => {
  const minutes = Math.floor((now.ms - Date.parse(since)) / 60_000);
  if (!(minutes >= 1)) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`;
};

/** A length of time that is guessed, in as few digits as it deserves: `20 s`, `2 min 30 s`, `12 min`, `2 h 10 min`. */
export const formatAbout = (ms: number): string => {
  if (ms < 27_500) return `${Math.max(5, Math.round(ms / 5_000) * 5)} s`;
  if (ms < 105_000) return `${Math.round(ms / 10_000) * 10} s`;
  const halves = Math.round(ms / 30_000);
  if (halves < 10 && halves % 2 === 1) return `${(halves - 1) / 2} min 30 s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 90) return `${minutes} min`;
  const rounded = Math.round(minutes / 10) * 10;
  return `${Math.floor(rounded / 60)} h${rounded % 60 === 0 ? '' : ` ${rounded % 60} min`}`;
};

/** Between these lengths of time: `4 to 9 min`, `50 s to 3 min`. */
export const formatBetween = (leastMs: number, mostMs: number): string => {
  const minute = 60_000;
  // Half a minute is nothing beside many.
  const isLong = mostMs >= 5 * minute && leastMs >= minute;
  const from = formatAbout(isLong ? Math.floor(leastMs / minute) * minute : leastMs);
  const to = formatAbout(mostMs);
  if (from === to) return `about ${to}`;
  const [, count, unit] = /^(\d+) (\w+)$/.exec(from) ?? [];
  return unit !== undefined && new RegExp(`^\\d+ ${unit}$`).test(to)
    ? `${count} to ${to}`
    : `${from} to ${to}`;
};

/** Time of day, with seconds within the next two minutes: `14:05:20`. A wait of seconds has no use for the minute. */
export const formatTimeSoon = (atMs: number, now: LocalTime): string =>
  atMs - now.ms < 120_000
    ? new Date(atMs + now.offset * 60_000).toISOString().slice(11, 19)
    : formatTimeOfDay(atMs, now);

/** Time of day, `14:05`, preceded by the day when it is not today. */
export const formatTimeOfDay = (atMs: number, now: LocalTime): string => {
  const local = (ms: number): string => new Date(ms + now.offset * 60_000).toISOString();
  const [day = '', time = ''] = local(atMs).split('T');
  const today = local(now.ms).slice(0, 10) === day;
  return `${today ? '' : `${day.slice(5)} `}${time.slice(0, 5)}`;
};

/** `1 task`, `2 tasks`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

/** Time of day with seconds, `14:05:09`. */
export const formatClock = (at: string, now: LocalTime): string =>
  new Date(Date.parse(at) + now.offset * 60_000).toISOString().slice(11, 19);
