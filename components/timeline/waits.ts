/** A span without work: until a person answered, in a hold, or while no program ran the session. Times are milliseconds since the epoch. */
export interface Wait {
  readonly why: 'you' | 'pause' | 'stop';
  readonly from: number;
  /** `null`: until now. */
  readonly to: number | null;
}

export type Mutable<T> = { -readonly [key in keyof T]: T[key] };

/** Begins or ends a wait where the reason changed. `null`: work goes on. */
export const waitFor = (waits: Mutable<Wait>[], why: Wait['why'] | null, at: number): void => {
  const last = waits.at(-1);
  const open = last?.to === null ? last : null;
  if ((open?.why ?? null) === why) return;
  if (open !== null) open.to = at;
  if (why !== null) keep(waits, { why, from: at, to: null });
};

/** Older bars, marks and spans are dropped. */
const mostKept = 5_000;

export const keep = <T>(list: T[], item: T): void => {
  list.push(item);
  // Trims in large steps, so that dropping the oldest is nearly always free.
  if (list.length >= mostKept * 1.2) list.splice(0, list.length - mostKept);
};
