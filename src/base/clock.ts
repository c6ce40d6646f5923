/** The time source of the program. Implementations: `clock.io.ts`, `test/helpers/manual-clock.ts`. */
export interface Clock {
  /** Milliseconds since the epoch; may step back when a person sets the clock. */
  now(): number;
  /** Milliseconds that never step back; for durations only. */
  monotonic(): number;
  /** Calls `run` once, `ms` from now (0 = next macrotask). Returns a function that cancels it. */
  after(ms: number, run: () => void): Cancel;
  /** Minutes east of UTC at `at`, for timestamps that people read. */
  offsetMinutes(at: number): number;
}

export type Cancel = () => void;

const two = (value: number): string => String(value).padStart(2, '0');

/** ISO 8601 with the local offset, to the second: `2026-02-15T10:15:00+07:00` (src/session/README.md, metadata.yaml). */
export const formatTimestamp = (clock: Clock, at: number = clock.now()): string => {
  const offset = clock.offsetMinutes(at);
  const local = new Date(at + offset * 60_000).toISOString().slice(0, 19);
  const size = Math.abs(offset);
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
};

/** Local `yyMMdd-HHmmss`, the form of a session id. */
export const formatSessionId = (clock: Clock, at: number = clock.now()): string => {
  const local = new Date(at + clock.offsetMinutes(at) * 60_000).toISOString();
  return `${local.slice(2, 10).replaceAll('-', '')}-${local.slice(11, 19).replaceAll(':', '')}`;
};
