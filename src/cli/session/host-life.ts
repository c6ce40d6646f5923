import { isFresh, signWords, sinceLastSign } from '../../session/heartbeat.ts';
import type { Holder } from '../../session/lock.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { World } from '../world.ts';

/** The process that holds a session's lock. */
export interface SessionHost {
  readonly pid: number;
  /** It runs, as far as can be known from here. */
  readonly alive: boolean;
  /** "last sign of life 2 s ago": its process is in another container, boot or machine and cannot be looked at. */
  readonly elsewhere?: string | undefined;
}

/** Whether a holder lives. Where its pid means nothing, its heartbeat tells. */
export const hostLife = (world: World, paths: SessionPaths, holder: Holder): SessionHost => {
  const { pid } = holder;
  const life = world.spawn.isAlive(holder);
  if (life !== 'unknown') return { pid, alive: life === 'alive' };
  const since = sinceLastSign(world.disk, world.clock, paths);
  return { pid, alive: isFresh(since), elsewhere: signWords(since) };
};

/** Whether a host is known to be dead. Silence from elsewhere is no proof. */
export const isDead = (host: SessionHost | null): boolean =>
  host === null || (!host.alive && host.elsewhere === undefined);

/** "pid 12, running" · "pid 12, runs elsewhere, last sign of life 2 s ago". */
export const hostWords = ({ pid, alive, elsewhere }: SessionHost): string => {
  if (elsewhere === undefined) return `pid ${pid}, ${alive ? 'running' : 'gone'}`;
  return alive
    ? `pid ${pid}, running elsewhere, ${elsewhere}`
    : `pid ${pid} elsewhere, not visible from here: ${elsewhere}`;
};
