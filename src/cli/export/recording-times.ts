import type { Event } from '../../pipeline/event.ts';

/** Which part of a journal is recorded, and how fast. Times are milliseconds. */
interface RecordingPlan {
  readonly from: number;
  readonly to: number;
  readonly speed: number;
  /** The longest wait in the recording. */
  readonly idle: number;
}

/** Journal time between two frames at speed 1; a fast recording takes fewer. */
const frameMs = 100;
/** Clocks of the screen tick once a second. */
const tickMs = 1_000;

/** The times that are drawn: those of events, a tick a second between them, the start and the end. */
export const recordingTimes = (
  events: readonly Event[],
  { from, to, speed, idle }: RecordingPlan,
): readonly number[] => {
  const least = frameMs * Math.max(1, speed);
  const times: number[] = [from];
  const add = (ms: number): void => {
    const last = times.at(-1) ?? from;
    if (ms <= last) return;
    // Events within one frame are drawn together, at the last of them.
    if (ms - last < least && times.length > 1) times[times.length - 1] = ms;
    else times.push(ms);
  };
  for (const event of events) {
    const ms = Date.parse(event.at);
    if (Number.isNaN(ms) || ms <= from || ms > to) continue;
    const last = times.at(-1) ?? from;
    const ticks = Math.min(ms - last, idle * speed);
    for (
      let tick = last + tickMs * Math.max(1, speed);
      tick < last + ticks;
      tick += tickMs * Math.max(1, speed)
    )
      times.push(tick);
    add(ms);
  }
  if ((times.at(-1) ?? from) < to) times.push(to);
  return times;
};

/** The waits before each of these times in the recording, in seconds: as fast as `speed`, none longer than `idle`. */
export const waitsOf = (times: readonly number[], { speed, idle }: RecordingPlan): readonly number[] =>
  times.map((ms, index) => {
    const before = times[index - 1];
    return before === undefined ? 0 : Math.min((ms - before) / speed, idle) / 1_000;
  });
