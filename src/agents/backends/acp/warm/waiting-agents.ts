import type { Cancel, Clock } from '../../../../base/clock.ts';
import type { Spawn, SpawnCommand } from '../../../../base/process/spawn.ts';
import type { AgentLink } from '../link.ts';
import type { AheadSession } from './ahead-session.ts';
import type { Ear } from './ear.ts';
import type { StartedAgent } from './started-agent.ts';

/** The agents of one program that wait for work, and those at work. */
export interface Pool {
  readonly spawn: Pick<Spawn, 'survivors'>;
  readonly clock: Clock;
  readonly waiting: Set<Waiting>;
  /** Those that wait and those that work. */
  readonly living: Set<Followed>;
}

export interface Followed {
  readonly command: AgentCommand;
  readonly started: StartedAgent;
  readonly ear: Ear;
  own: readonly number[] | null;
  /** The marked processes that are older than the agent. */
  readonly before: readonly number[];
}

export interface Waiting {
  readonly agent: Followed;
  /** One that was started ahead may be starting. */
  readonly link: Promise<AgentLink>;
  /** The session that was paused, or `null`: it takes any work. */
  readonly paused: string | null;
  /** Opened for work to come. */
  session: AheadSession | null;
  cancel: Cancel;
}

export type AgentCommand = Omit<SpawnCommand, 'talk'>;

/** How long an agent waits: the review of a task follows within seconds, and a process of 300 MB is no cheap guest. */
export const waitsMs = 120_000;
/** A pause is longer, and starting the agent again would delay its end. */
export const waitsPausedMs = 600_000;
export const mostWaiting = 3;
const graceMs = 2_000;

export const hasNone = ({ session }: Waiting): boolean => session === null;

export const workingOn = ({ living, waiting }: Pool, command: AgentCommand): number => {
  const others = new Set([...waiting].map(({ agent }) => agent));
  return [...living].filter((agent) => !others.has(agent) && startsTheSame(agent.command, command)).length;
};

/** Another work takes its agent: the session is closed, and nothing is asked of it. */
export const drop = ({ session, link }: Waiting): void => {
  session?.tools?.close();
  const closed = session?.opened.then(async ({ id }) => (await link).leave(id));
  closed?.catch(() => {});
};

/** It waits until the work before it has ended, and its own time after that. */
export const waitFor = (pool: Pool, one: Waiting, until: AbortSignal): void => {
  one.cancel();
  one.cancel = () => {};
  const work = (): void => {
    if (pool.waiting.has(one)) endAfter(pool, one, waitsMs);
  };
  if (until.aborted) work();
  else until.addEventListener('abort', work, { once: true });
};

export const wait = (pool: Pool, one: Waiting): void => {
  pool.waiting.add(one);
  // The next work says what is wrong with an agent that cannot start.
  one.link.catch(() => forget(pool, one));
  void one.agent.started.child.exit.then(() => forget(pool, one));
};

export const endAfter = (pool: Pool, one: Waiting, ms: number): void => {
  one.cancel();
  one.cancel = pool.clock.after(ms, () => end(pool, one));
};

export const freeIn = ({ waiting }: Pool): readonly Waiting[] =>
  [...waiting].filter(({ paused }) => paused === null);

export const markedOf = ({ spawn }: Pool, { marker, cwd }: AgentCommand): readonly number[] =>
  spawn.survivors(marker, cwd).marked;

export const forget = ({ waiting }: Pool, one: Waiting): void => {
  one.cancel();
  waiting.delete(one);
};

export const end = (pool: Pool, one: Waiting): void => {
  forget(pool, one);
  pool.living.delete(one.agent);
  one.session?.tools?.close();
  one.link.then((link) => link.close(null)).catch(() => {});
  void one.agent.started.child.stop(graceMs);
};

/** All that a start depends on, but the marker. */
export const startsTheSame = (one: AgentCommand, other: AgentCommand): boolean => keyOf(one) === keyOf(other);

const keyOf = ({ marker: _, env, ...rest }: AgentCommand): string =>
  JSON.stringify([Object.entries(rest).sort(byName), Object.entries(env).sort(byName)]);

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;
