import type { Patience } from '../patience.ts';
import type { TeamPorts } from './worker-line.ts';

/** Looks after each change of the session or of the work in hand, until `look` gives something. `null`: the time of the call is up. */
export const untilChanged = async <T>(
  { watch, works }: Pick<TeamPorts, 'watch' | 'works'>,
  look: () => T | null,
  patience: Patience,
): Promise<T | null> => {
  const found = Promise.withResolvers<T>();
  let isOver = false;
  let isDue = false;
  const check = (): void => {
    isDue = false;
    if (isOver) return;
    try {
      const value = look();
      if (value !== null) found.resolve(value);
    } catch (error) {
      found.reject(error);
    }
  };
  // A claim changes the session, and observers only read: it waits until the event has been dealt with.
  const later = (): void => {
    if (isDue) return;
    isDue = true;
    void Promise.resolve().then(check);
  };
  const ends = [watch(later), works.watch(later)];
  try {
    check();
    const value = await patience.until(found.promise);
    return value === 'late' ? null : value;
  } finally {
    isOver = true;
    for (const end of ends) end();
  }
};
