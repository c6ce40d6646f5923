import { useEffect, useState } from 'react';
import type { Clock } from '../src/base/clock.ts';
import { selectRefresh } from '../src/store/session/select-now.ts';
import type { ViewState } from '../src/store/view.ts';
import type { LocalTime } from '../src/words/local-time.ts';

/**
 * The current local time. Ticks once a second while something runs, else once a minute: an idle screen costs nothing. A replay shows its own time.
 */
export const useLocalTime = (view: ViewState, clock: Clock): LocalTime => {
  const [, tick] = useState(0);
  const { everyMs, fromMs } = selectRefresh(view) ?? never;
  useEffect(() => {
    if (everyMs === 0) return;
    let cancel = (): void => undefined;
    const next = (): void => {
      const past = (clock.now() - fromMs) % everyMs;
      cancel = clock.after(everyMs - (past < 0 ? past + everyMs : past), () => {
        tick((count) => count + 1);
        next();
      });
    };
    next();
    return () => cancel();
  }, [everyMs, fromMs, clock]);
  const ms = view.replay?.at ?? clock.now();
  return { ms, offset: clock.offsetMinutes(ms) };
};

const never = { everyMs: 0, fromMs: 0 };
