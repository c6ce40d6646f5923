import { hostOf, type OpenSession } from './open-session.ts';

const hostPollMs = 1_000;

/**
 * A program that was killed writes no last event: only its lock tells. `gone` is called when it is seen dead twice in a row, so
 * that the journal's own last word is read before. The answer stops it.
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
