import { useEffect, useRef, useState } from 'react';
import { isByMinutes, type Refresh, selectRefresh } from '../components/frame/select-now.ts';
import { selectStreaming } from '../components/tasks/select-streaming.ts';
import type { ViewState } from '../components/view.ts';
import type { Clock } from '../src/base/clock.ts';
import type { LocalTime } from '../src/words/local-time.ts';

/**
 * The current local time. Ticks four times a second while a spinner turns, once a second while something runs, else once a minute: an idle screen
 * costs nothing. A replay shows its own time.
 */
export const useLocalTime = (view: ViewState, clock: Clock, moves: boolean): LocalTime => {
  const [, tick] = useState(0);
  const ms = view.replay?.at ?? clock.now();
  const spins = moves && selectStreaming(view, ms).size > 0;
  const { everyMs, fromMs, unlessDrawnMs = 0 } = selectRefresh(view, spins) ?? never;
  const drawnAt = useRef(0);
  useEffect(() => {
    drawnAt.current = clock.monotonic();
  });
  useEffect(() => {
    if (everyMs === 0) return;
    let cancel = (): void => undefined;
    const next = (): void => {
      const past = (clock.now() - fromMs) % everyMs;
      cancel = clock.after(everyMs - (past < 0 ? past + everyMs : past), () => {
        if (clock.monotonic() - drawnAt.current >= unlessDrawnMs) tick((count) => count + 1);
        next();
      });
    };
    next();
    return () => cancel();
  }, [everyMs, fromMs, unlessDrawnMs, clock]);
  return { ms, offset: clock.offsetMinutes(ms), byMinutes: isByMinutes(view) };
};

const never: Refresh = { everyMs: 0, fromMs: 0 };
