import type { Clock } from '../base/clock.ts';

/** The longest total wait of one tool call (src/agents/README.md: some agents give up after 60 s, and waiting must cost no model call). */
export const longestWait = 45_000;

/** The wait of one tool call: one limit for everything it waits for. */
export interface Patience {
  /** Gives the value, or `late` when the time is up or the caller is gone. */
  until<T>(promise: Promise<T>): Promise<T | 'late'>;
  /** The caller hung up or cancelled, so nobody reads the result. */
  isOver(): boolean;
}

/** `hungUp` aborts when the caller is gone. */
export const createPatience = (clock: Pick<Clock, 'after' | 'monotonic'>, hungUp: AbortSignal): Patience => {
  const end = clock.monotonic() + longestWait;
  return {
    isOver: () => hungUp.aborted,
    until: (promise) => {
      const left = end - clock.monotonic();
      if (left <= 0 || hungUp.aborted) return Promise.resolve('late');
      const late = Promise.withResolvers<'late'>();
      const giveUp = (): void => late.resolve('late');
      const cancel = clock.after(left, giveUp);
      hungUp.addEventListener('abort', giveUp, { once: true });
      return Promise.race([promise, late.promise]).finally(() => {
        cancel();
        hungUp.removeEventListener('abort', giveUp);
      });
    },
  };
};
