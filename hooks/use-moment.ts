import { useEffect, useState } from 'react';
import type { Clock } from '../src/base/clock.ts';
import type { Moment } from '../src/store/moment.ts';
import { selectBeat } from '../src/store/select-now.ts';
import type { ViewState } from '../src/store/view.ts';

/** Now. Ticks once a second while something runs, and once a minute otherwise: an idle screen costs nothing. In a replay it is then. */
export const useMoment = (view: ViewState, clock: Clock): Moment => {
  const [, tick] = useState(0);
  const { everyMs, fromMs } = selectBeat(view) ?? never;
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
