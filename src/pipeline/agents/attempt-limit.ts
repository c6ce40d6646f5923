import type { EventBody } from '../event.ts';
import type { SessionState } from '../state.ts';

/** The limit of attempts in the whole session, when no further one may start; else `null`. A turn of a loop is an attempt. */
export const attemptLimit = ({ settings, attemptsTotal }: SessionState): EventBody | null => {
  const most = settings.limits.max_attempts_total;
  return most !== null && attemptsTotal >= most
    ? { type: 'limit.reached', limit: 'max_attempts_total', reason: `${most} attempts in total` }
    : null;
};
