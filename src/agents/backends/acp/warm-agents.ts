import type { Cancel, Clock } from '../../../base/clock.ts';
import type { Child, Spawn, SpawnCommand } from '../../../base/process/spawn.ts';
import type { AgentLink, LinkListener } from './link.ts';

/** A started agent. The child exists at once, so that it can be stopped while its agent still starts. */
export interface StartedAgent {
  readonly child: Child;
  /** Rejects with a `FaultError` if the agent is not found, crashes, hangs or speaks an unknown protocol. */
  readonly link: Promise<AgentLink>;
  /** Absent: its process ends with its conversation. */
  readonly warm?: WarmAgent;
}

interface WarmAgent {
  /** Its session is open and no prompt was sent: what runs now belongs to the agent itself. */
  opened(): void;
  /** It opens a session again that it left: what it says there is heard. */
  reopens(session: string): void;
  /** Its session has ended or waits for a pause to end. Gives the processes that are left to it, or none: something else runs, and all has to be ended now. */
  leave(session: string, after: AfterWork): readonly number[];
}

/** What becomes of an agent: it `waits` for the next work, `paused` for its own to continue, or `goes` beside what follows. */
export type AfterWork = 'waits' | 'paused' | 'goes';

type AgentCommand = Omit<SpawnCommand, 'talk'>;

/**
 * Agents whose work ended well, waiting for work that would have started the same: the same command, directory and environment but for the marker. Such
 * work gets a new session of the same process. One whose work was paused waits for that work alone. An agent stays only while its processes are those that it had before its first prompt: whatever its
 * work left running ends with it. What waits carries the marker of the invocation that started it, so that each end of a session stops it.
 */
export interface WarmAgents {
  /**
   * The agent that waits for this command, or `null`; `paused`: the session that was paused, whose own agent it has to be. It then belongs to the caller.
   * `start` lets the listener hear it.
   */
  take(command: AgentCommand, paused: string | null): WaitingAgent | null;
  /** Starts an agent by `launch`, and follows what it consists of. */
  launch(
    command: AgentCommand,
    listener: LinkListener,
    launch: (listener: LinkListener) => StartedAgent,
  ): StartedAgent;
}

interface WaitingAgent {
  readonly marker: string;
  readonly start: (listener: LinkListener) => StartedAgent;
}

/** How long an agent waits: the review of a task follows within seconds, and a process of 300 MB is no cheap guest. */
const waitsMs = 120_000;
/** A pause is longer, and starting the agent again would delay its end. */
const waitsPausedMs = 600_000;
const mostWaiting = 3;
const graceMs = 2_000;

interface Followed {
  readonly command: AgentCommand;
  readonly started: StartedAgent;
  readonly ear: Ear;
  own: readonly number[] | null;
  /** The marked processes that are older than the agent. */
  readonly before: readonly number[];
}

interface Waiting {
  readonly agent: Followed;
  readonly link: AgentLink;
  /** The session that was paused, or `null`: it takes any work. */
  readonly paused: string | null;
  readonly cancel: Cancel;
}

interface Pool {
  readonly spawn: Pick<Spawn, 'survivors'>;
  readonly clock: Clock;
  readonly waiting: Set<Waiting>;
}

export const createWarmAgents = (ports: Pick<Pool, 'spawn' | 'clock'>): WarmAgents => {
  const pool: Pool = { ...ports, waiting: new Set() };
  return {
    take: (command, paused) => {
      const found = [...pool.waiting].find(
        (waiting) => waiting.paused === paused && startsTheSame(waiting.agent.command, command),
      );
      if (found === undefined) return null;
      forget(pool, found);
      const { agent, link } = found;
      return {
        marker: agent.command.marker,
        start: (listener) => {
          agent.ear.hear(listener);
          return followed(pool, agent, link);
        },
      };
    },
    launch: (command, listener, launch) => {
      const before = markedOf(pool, command);
      const ear = createEar(listener);
      const started = launch(ear.listener);
      return followed(pool, { command, started, ear, own: null, before }, started.link);
    },
  };
};

const followed = (pool: Pool, agent: Followed, link: AgentLink | Promise<AgentLink>): StartedAgent => {
  const { child } = agent.started;
  let open: AgentLink | null = null;
  const linked = Promise.resolve(link).then((ready) => {
    open = ready;
    return ready;
  });
  return {
    child,
    link: linked,
    warm: {
      opened: () => {
        agent.own = markedOf(pool, agent.command).filter((pid) => !agent.before.includes(pid));
      },
      reopens: agent.ear.again,
      leave: (session, after) => {
        agent.ear.over(session);
        return open === null ? [] : left(pool, agent, { link: open, session, after });
      },
    },
  };
};

interface Leaving {
  readonly link: AgentLink;
  readonly session: string;
  readonly after: AfterWork;
}

const left = (pool: Pool, agent: Followed, { link, session, after }: Leaving): readonly number[] => {
  const own = agent.own ?? [];
  const leader = agent.ear.leader();
  const running = markedOf(pool, agent.command);
  // Without `/proc` nobody sees what the work left running: such an agent never stays.
  if (leader === null || !running.includes(leader) || !own.includes(leader)) return [];
  if (running.some((pid) => !own.includes(pid))) return [];
  agent.ear.hear(deaf);
  const isPaused = after === 'paused';
  const waiting: Waiting = {
    agent,
    link,
    paused: isPaused ? session : null,
    cancel: pool.clock.after(isPaused ? waitsPausedMs : waitsMs, () => end(pool, waiting)),
  };
  pool.waiting.add(waiting);
  if (after === 'goes') end(pool, waiting);
  void agent.started.child.exit.then(() => forget(pool, waiting));
  // Those of a pause were there before it.
  const free = [...pool.waiting].filter(({ paused }) => paused === null);
  for (const oldest of free.slice(0, -mostWaiting)) end(pool, oldest);
  return running;
};

const markedOf = ({ spawn }: Pool, { marker, cwd }: AgentCommand): readonly number[] =>
  spawn.survivors(marker, cwd).marked;

const forget = ({ waiting }: Pool, one: Waiting): void => {
  one.cancel();
  waiting.delete(one);
};

const end = (pool: Pool, one: Waiting): void => {
  forget(pool, one);
  void one.link.close(null);
  void one.agent.started.child.stop(graceMs);
};

/** All that a start depends on, but the marker. */
const startsTheSame = (one: AgentCommand, other: AgentCommand): boolean => keyOf(one) === keyOf(other);

const keyOf = ({ marker: _, env, ...rest }: AgentCommand): string =>
  JSON.stringify([Object.entries(rest).sort(byName), Object.entries(env).sort(byName)]);

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

/** Passes on what an agent says to the work that it does now. What its earlier sessions still say reaches nobody. */
interface Ear {
  readonly listener: LinkListener;
  hear(next: LinkListener): void;
  over(session: string): void;
  again(session: string): void;
  readonly leader: () => number | null;
}

const createEar = (first: LinkListener): Ear => {
  let now = first;
  let process: { readonly pid: number; readonly startTime: string } | null = null;
  const past = new Set<string>();
  return {
    listener: {
      started: (begun) => {
        process = begun;
        now.started(begun);
      },
      update: (session, update) => {
        if (!past.has(session)) now.update(session, update);
      },
      permission: async (request, over) => (past.has(request.session) ? null : now.permission(request, over)),
      elicit: (form, over) => now.elicit(form, over),
      pull: () => now.pull(),
      log: (bytes) => now.log(bytes),
    },
    hear: (next) => {
      now = next;
      if (process !== null) next.started(process);
    },
    over: (session) => past.add(session),
    again: (session) => past.delete(session),
    leader: () => process?.pid ?? null,
  };
};

/** An agent that waits asks for nothing: no work of it runs. */
const deaf: LinkListener = {
  started: () => {},
  update: () => {},
  permission: async () => null,
  elicit: async () => ({ action: 'cancel' }),
  pull: async () => [],
  log: () => {},
};
