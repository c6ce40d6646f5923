import type { Store } from '../../../components/create-store.ts';
import type { Seek } from '../../../components/frame/replay.ts';
import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../pipeline/event.ts';

/** Longest wait between two events: a night or a stop in the journal is shortened to this. */
export const longestGapMs = 3_000;

/**
 * Plays events into the store as its `replay` state says: speed, pause and seeks. Seeking back folds the
 * journal again up to that point. Returns the function that stops playing.
 */
export const playInto = (
  store: Store,
  clock: Clock,
  events: readonly Event[],
  speed: number,
): (() => void) => {
  let played = 0;
  let now = timeOf(events[0]);
  let cancel = (): void => {};
  let heard = { speed, paused: false };

  const show = (): void => store.act({ type: 'replayed', change: { played, at: now } });
  const schedule = (): void => {
    cancel();
    cancel = (): void => {};
    const next = events[played];
    if (heard.paused || next === undefined) return;
    const gap = Math.max(0, timeOf(next) - now);
    cancel = clock.after(Math.min(gap, longestGapMs) / heard.speed, step);
  };
  /** Dispatches all events of the same millisecond together. */
  const step = (): void => {
    const at = events[played]?.at;
    while (played < events.length && events[played]?.at === at) {
      const event = events[played];
      if (event) store.dispatch(event);
      played += 1;
    }
    now = timeOf(events[played - 1]);
    show();
    schedule();
  };
  const goTo = ({ to, at }: Place): void => {
    if (to >= played) store.load(events.slice(played, to));
    else {
      store.rewind();
      store.load(events.slice(0, to));
    }
    played = to;
    now = at;
    show();
    schedule();
  };

  const release = store.subscribe(() => {
    const { replay } = store.getState();
    if (replay === null) return;
    const { wanted } = replay;
    if (wanted !== null) {
      // Cleared first: the seek calls this listener again.
      store.act({ type: 'replayed', change: { wanted: null } });
      return goTo(placeOf(events, { to: played, at: now }, wanted));
    }
    if (replay.speed === heard.speed && replay.paused === heard.paused) return;
    heard = { speed: replay.speed, paused: replay.paused };
    schedule();
  });
  store.act({ type: 'replayed', change: { speed, total: events.length } });
  step();
  return () => {
    release();
    cancel();
  };
};

/** A position in the journal: the number of events played, and the time there in milliseconds. */
interface Place {
  readonly to: number;
  readonly at: number;
}

const placeOf = (events: readonly Event[], { to: played, at: now }: Place, wanted: Seek): Place => {
  if (wanted.by === 'time') return placeAt(events, now + wanted.ms, wanted.ms > 0);
  const starts = events.flatMap((event, index) => (event.type === 'state.entered' ? [index + 1] : []));
  const to =
    wanted.way > 0
      ? (starts.find((start) => start > played) ?? events.length)
      : (starts.findLast((start) => start < played) ?? 1);
  return { to, at: timeOf(events[to - 1]) };
};

/** Seeks to a time. Hours in which no process ran the session are skipped, in the direction of the seek. */
const placeAt = (events: readonly Event[], wanted: number, on: boolean): Place => {
  const found = events.findIndex((event) => timeOf(event) > wanted);
  if (found < 0) return { to: events.length, at: timeOf(events.at(-1)) };
  const to = Math.max(1, found);
  const before = timeOf(events[to - 1]);
  if (events[to]?.type !== 'session.started') return { to, at: Math.max(before, wanted) };
  return on ? { to: to + 1, at: timeOf(events[to]) } : { to, at: before };
};

const timeOf = (event: Event | undefined): number => Date.parse(event?.at ?? '');
