/** The current time for texts: milliseconds since the epoch, and minutes east of UTC for times of day. */
export interface LocalTime {
  readonly ms: number;
  readonly offset: number;
  /** The screen is drawn once a minute: running seconds would stand still, and jump at a key press. */
  readonly byMinutes?: boolean;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `0:07`, `12:05`, `1:02:03`. Negative times become zero, as after the clock was set back. */
export const formatElapsed = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = `${hours > 0 ? two(minutes) : minutes}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
};

/** At most five cells: `0:07`, `59:05`, `1h02`, `120h`. */
export const formatWorked = (ms: number): string => {
  const minutes = Math.floor(Math.max(0, ms) / 60_000);
  if (minutes < 60) return formatElapsed(ms);
  const hours = Math.floor(minutes / 60);
  return hours < 100 ? `${hours}h${two(minutes % 60)}` : `${hours}h`;
};

/** Whole minutes, for waiting times: `<1 min`, `12 min`, `1 h 5 min`. */
export const formatMinutes = (ms: number): string => {
  const minutes = Math.floor(Math.max(0, ms) / 60_000);
  if (minutes < 60) return minutes < 1 ? '<1 min' : `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

/** A rest of time in whole minutes, rounded up: "10 min" as long as more than nine are left. */
export const formatMinutesLeft = (ms: number): string =>
  ms < 60_000 ? formatMinutes(ms) : formatMinutes(Math.ceil(ms / 60_000) * 60_000);

/** Time since an ISO instant. */
export const formatSince = (since: string, now: LocalTime): string =>
  formatElapsed(now.ms - Date.parse(since));

/** The same in at most five cells: `0:07`, `1h02`, and by minutes `<1m`, `12m`. */
export const formatRunning = (since: string, now: LocalTime): string => {
  const ms = now.ms - Date.parse(since);
  const minutes = Math.floor(ms / 60_000);
  if (now.byMinutes !== true || minutes >= 60) return formatWorked(ms);
  return minutes < 1 ? '<1m' : `${minutes}m`;
};

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
