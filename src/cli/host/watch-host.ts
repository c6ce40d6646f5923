import { hostOf, type OpenSession } from '../session/open-session.ts';

const hostPollMs = 1_000;

/**
 * Watches the lock of a session's host, because a killed host writes no last event. Calls `gone` when the host
 * is seen dead twice in a row, so that its last event is read first. Returns the function that stops watching.
 */
export const watchHost = ({ world, paths, host }: OpenSession, gone: () => void): (() => void) => {
  let dead = host?.alive === true ? 0 : 2;
  const look = (): void => {
    dead = hostOf(world, paths)?.alive === true ? 0 : dead + 1;
    cancel = world.clock.after(hostPollMs, look);
    if (dead === 2) gone();
  };
  let cancel = world.clock.after(hostPollMs, look);
  return () => cancel();
};
