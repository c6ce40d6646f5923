import type { Clock } from '../base/clock.ts';
import type { Event } from '../pipeline/event.ts';
import type { Store } from '../store/create-store.ts';
import type { Seek } from '../store/replay.ts';

/** A pause in the journal (a night, a stop) is not waited for longer than this. */
export const longestGapMs = 3_000;

/**
 * Plays events into the store as its `replay` says: speed, pause, and where keys want to go. Going back folds the journal anew up to there.
 * The answer stops it.
 */
export const playInto = (
  store: Store,
  clock: Clock,
  events: readonly Event[],
  speed: number,
): (() => void) => {
  let played = 0;
  let cancel = (): void => {};
  let heard = { speed, paused: false };

  const show = (): void => store.act({ type: 'replayed', change: { played } });
  const schedule = (): void => {
    cancel();
    cancel = (): void => {};
    const last = events[played - 1];
    const next = events[played];
    if (heard.paused || next === undefined) return;
    const gap = last ? Math.max(0, Date.parse(next.at) - Date.parse(last.at)) : 0;
    cancel = clock.after(Math.min(gap, longestGapMs) / heard.speed, step);
  };
  /** All that happened in the same millisecond comes together. */
  const step = (): void => {
    const at = events[played]?.at;
    while (played < events.length && events[played]?.at === at) {
      const event = events[played];
      if (event) store.dispatch(event);
      played += 1;
    }
    show();
    schedule();
  };
  const goTo = (to: number): void => {
    if (to >= played) store.load(events.slice(played, to));
    else {
      store.rewind();
      store.load(events.slice(0, to));
    }
    played = to;
    show();
    schedule();
  };

  const release = store.subscribe(() => {
    const { replay } = store.getState();
    if (replay === null) return;
    const { wanted } = replay;
    if (wanted !== null) {
      // Taken back first: going there tells this listener again.
      store.act({ type: 'replayed', change: { wanted: null } });
      return goTo(placeOf(events, played, wanted));
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

/** How many events are played once one is there. */
const placeOf = (events: readonly Event[], played: number, wanted: Seek): number => {
  if (wanted.by === 'time') {
    const now = Date.parse(events[Math.max(0, played - 1)]?.at ?? '');
    const found = events.findIndex((event) => Date.parse(event.at) > now + wanted.ms);
    return found < 0 ? events.length : Math.max(1, found);
  }
  const starts = events.flatMap((event, index) => (event.type === 'state.entered' ? [index + 1] : []));
  return wanted.way > 0
    ? (starts.find((start) => start > played) ?? events.length)
    : (starts.findLast((start) => start < played) ?? 1);
};
