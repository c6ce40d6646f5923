import { useEffect, useState } from 'react';
import type { Clock } from '../src/base/clock.ts';
import type { Moment } from '../src/store/moment.ts';
import { selectTicking } from '../src/store/select-now.ts';
import type { ViewState } from '../src/store/view.ts';

/** Now. Ticks once a second while something runs, and not at all otherwise: an idle screen has no timer. In a replay it is then. */
export const useMoment = (view: ViewState, clock: Clock): Moment => {
  const [, tick] = useState(0);
  const ticking = selectTicking(view);
  useEffect(() => {
    if (!ticking) return;
    let cancel = (): void => undefined;
    const next = (): void => {
      cancel = clock.after(1_000, () => {
        tick((count) => count + 1);
        next();
      });
    };
    next();
    return () => cancel();
  }, [ticking, clock]);
  const ms = view.replay?.at ?? clock.now();
  return { ms, offset: clock.offsetMinutes(ms) };
};
