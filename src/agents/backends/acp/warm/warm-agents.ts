import type { AgentLink, LinkListener } from '../link.ts';
import type { AheadSession } from './ahead-session.ts';
import { createEar, deaf } from './ear.ts';
import type { AfterWork, StartedAgent } from './started-agent.ts';
import {
  type AgentCommand,
  drop,
  end,
  endAfter,
  type Followed,
  forget,
  freeIn,
  hasNone,
  markedOf,
  mostWaiting,
  type Pool,
  startsTheSame,
  type Waiting,
  wait,
  waitFor,
  waitsMs,
  waitsPausedMs,
  workingOn,
} from './waiting-agents.ts';

/**
 * Agents whose work ended well, waiting for work that would have started the same: the same command, directory and environment but for the marker. Such
 * work gets a new session of the same process. One whose work was paused waits for that work alone. An agent stays only while its processes are those that it had before its first prompt: whatever its
 * work left running ends with it. What waits carries the marker of the invocation that started it, so that each end of a session stops it. An agent may also be
 * started ahead of its work, and waits the same.
 */
export interface WarmAgents {
  /**
   * The agent that waits for this command, or `null`, first one whose session is open at this `place`; `paused`: the session that was paused, whose own agent it has to be. It then belongs to the caller.
   * `start` lets the listener hear it.
   */
  take(command: AgentCommand, paused: string | null, place: string): WaitingAgent | null;
  /** Starts an agent by `launch`, and follows what it consists of. */
  launch(command: AgentCommand, listener: LinkListener, launch: Launch): StartedAgent;
  /** Starts an agent for work to come, with its session. */
  ahead(command: AgentCommand, work: WorkToCome, launch: Launch): void;
  /** How many more have to be started ahead for so many works. Those that wait are kept for them; where each session is a program, they open theirs now. */
  missing(command: AgentCommand, wanted: number, work: WorkToCome): number;
}

type Launch = (listener: LinkListener) => StartedAgent;

interface WorkToCome {
  readonly open: (link: Promise<AgentLink>) => AheadSession;
  readonly place: string;
  /** The agent starts a program for each session: one that works or waits without an open session is of little use. */
  readonly startsEach: boolean;
  /** Aborts when the work before it has ended: the time of waiting begins. */
  readonly until: AbortSignal;
}

interface WaitingAgent {
  readonly marker: string;
  readonly ahead?: AheadSession;
  readonly start: (listener: LinkListener) => StartedAgent;
}

export const createWarmAgents = (ports: Pick<Pool, 'spawn' | 'clock'>): WarmAgents => {
  const pool: Pool = { ...ports, waiting: new Set(), living: new Set() };
  return {
    take: (command, paused, place) => {
      const fitting = [...pool.waiting].filter(
        (waiting) => waiting.paused === paused && startsTheSame(waiting.agent.command, command),
      );
      const found =
        fitting.find(({ session }) => session?.place === place) ?? fitting.find(hasNone) ?? fitting[0];
      if (found === undefined) return null;
      forget(pool, found);
      const { agent, link, session } = found;
      if (session !== null && session.place !== place) drop(found);
      return {
        marker: agent.command.marker,
        ...(session?.place === place ? { ahead: session } : {}),
        start: (listener) => {
          agent.ear.hear(listener);
          return followed(pool, agent, link);
        },
      };
    },
    launch: (command, listener, launch) => {
      const agent = follow(pool, command, listener, launch);
      return followed(pool, agent, agent.started.link);
    },
    ahead: (command, work, launch) => {
      const agent = follow(pool, command, deaf, launch);
      const { link } = agent.started;
      const waiting: Waiting = { agent, link, paused: null, session: work.open(link), cancel: () => {} };
      wait(pool, waiting);
      waitFor(pool, waiting, work.until);
    },
    missing: (command, wanted, { open, place, startsEach, until }) => {
      const free = freeIn(pool).filter(({ agent }) => startsTheSame(agent.command, command));
      const ready = free.filter(({ session }) => session?.place === place);
      const idle = startsEach ? free.filter(hasNone).slice(0, Math.max(0, wanted - ready.length)) : [];
      for (const one of idle) one.session = open(one.link);
      for (const one of startsEach ? [...ready, ...idle] : free) waitFor(pool, one, until);
      const living = startsEach ? ready.length + idle.length : free.length + workingOn(pool, command);
      return Math.max(0, Math.min(wanted - living, mostWaiting - freeIn(pool).length));
    },
  };
};

const follow = (pool: Pool, command: AgentCommand, listener: LinkListener, launch: Launch): Followed => {
  const before = markedOf(pool, command);
  const ear = createEar(listener);
  const agent: Followed = { command, started: launch(ear.listener), ear, own: null, before };
  pool.living.add(agent);
  void agent.started.child.exit.then(() => pool.living.delete(agent));
  return agent;
};

const followed = (pool: Pool, agent: Followed, link: Promise<AgentLink>): StartedAgent => {
  const { child } = agent.started;
  let open: AgentLink | null = null;
  const linked = link.then((ready) => {
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
    link: Promise.resolve(link),
    paused: isPaused ? session : null,
    session: null,
    cancel: () => {},
  };
  wait(pool, waiting);
  endAfter(pool, waiting, isPaused ? waitsPausedMs : waitsMs);
  if (after === 'goes') end(pool, waiting);
  // Those of a pause were there before it.
  for (const oldest of freeIn(pool).slice(0, -mostWaiting)) end(pool, oldest);
  return running;
};
