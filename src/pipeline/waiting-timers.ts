import type { SessionState } from './state.ts';

/** The timers at which a session continues by itself: the end of a used-up quota, and the next try of each failed call. */
export const waitingTimers = ({
  quotaUntil,
  retries,
}: Pick<SessionState, 'quotaUntil' | 'retries'>): readonly string[] => [
  ...(quotaUntil === null ? [] : ['quota']),
  ...[...retries].flatMap(([slot, { fired }]) => (fired ? [] : [`retry:${slot}`])),
];
