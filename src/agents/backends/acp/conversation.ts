import { withinMs } from '../../../base/after-awake.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Reach } from '../../agent-facts.ts';
import type { BackendHost, Brief } from '../../port.ts';
import type { AgentProfile } from '../../profiles/profile.ts';
import type { AgentLog } from './agent-log.ts';
import type { LinkListener, PromptBlock, ToolServer } from './link.ts';
import { type LiveSession, type ProgramFor, startSession } from './live-session.ts';
import { createModeGuard, type ModeGuard } from './mode-guard.ts';
import { createReplies, type Replies } from './replies.ts';
import type { ToolBook } from './tool-book.ts';
import type { AgentUpdate } from './updates.ts';
import type { AheadTools } from './warm/ahead-session.ts';
import type { AfterWork, StartedAgent } from './warm/started-agent.ts';

export interface ConversationPorts {
  readonly brief: Brief;
  readonly host: BackendHost;
  readonly clock: Clock;
  readonly profile: AgentProfile;
  readonly program: ProgramFor;
  readonly book: ToolBook;
  /** Names of variables with a login that the agent does not get. */
  readonly withheld: readonly string[];
  /** The agent's own log. */
  readonly log: AgentLog;
}

/** What answers the agent, and what it is offered. */
interface Listener {
  readonly permission: LinkListener['permission'];
  readonly elicit: LinkListener['elicit'];
  readonly pull: LinkListener['pull'];
  /** Sees each update of the agent. */
  readonly saw: (update: AgentUpdate) => void;
  /** Our tools, opened for this agent before its session, or those that its session has. */
  readonly servers: (ahead: AheadTools | null) => Promise<readonly ToolServer[]>;
  /** Resolves when the agent has listed them. */
  readonly listed: () => Promise<void>;
}

/** One agent process with its session, from the first prompt to the end. */
export interface Conversation {
  /** Sets what answers the agent, once, before its session begins. */
  listen(listener: Listener): void;
  /** Gives the session and starts it on the first call. `earlier` is the agent's own id of an older session. Rejects with a `FaultError`. */
  session(earlier: string | null): Promise<LiveSession>;
  /** Sends one prompt and waits for the end of its reply, after putting back a mode that the agent left. */
  readonly say: Replies['say'];
  /** Asks the agent to end its current reply and waits briefly. */
  cancel(): Promise<void>;
  /**
   * Closes the session and stdin, waits briefly, then stops the rest. After work that ended well or was paused, an agent that is alone with itself is left.
   * Gives the processes that are left.
   */
  end(graceMs: number, after?: AfterWork): Promise<readonly number[]>;
  /** Stops everything and resolves once that is verified. */
  stop(graceMs: number): Promise<void>;
  /** Puts back a mode that the agent chose by itself. */
  keepMode(): Promise<void>;
  /** A change of mode was allowed. */
  readonly allowMode: ModeGuard['allow'];
  readonly isReplying: () => boolean;
  /** Whether a message can be injected into the current reply: an order is worth more than an INFO. */
  readonly takesMessages: (steer: boolean) => boolean;
  /** Whether the agent asks for messages between its tools. */
  readonly pulls: () => boolean;
  /** Injects a message into the current reply. Gives `false` if the reply was over and the agent did not take the message. */
  inject(session: LiveSession, blocks: readonly PromptBlock[]): Promise<boolean>;
}

/** How long to wait for an agent to end its turn or close before stopping it. */
const patienceMs = 1_000;
/** The same once its session is closed and its stdin has ended: some never exit by themselves. */
const exitPatienceMs = 250;

/** How often to look whether what still runs at the end of the work has ended by itself. */
const mostLooks = 8;
const lookMs = 50;

interface State {
  readonly ports: ConversationPorts;
  readonly modes: ModeGuard;
  readonly replies: Replies;
  listener: Listener | null;
  agent: StartedAgent | null;
  live: Promise<LiveSession> | null;
  reach: Reach;
  /** Ends the permission requests of the current reply. */
  asking: AbortController;
}

export const createConversation = (ports: ConversationPorts): Conversation => {
  const modes = createModeGuard(ports.profile.label, ports.host.emit);
  const state: State = {
    ports,
    modes,
    replies: createReplies(ports),
    listener: null,
    agent: null,
    live: null,
    reach: 'turn-end',
    asking: new AbortController(),
  };
  const { replies } = state;
  return {
    listen: (listener) => {
      state.listener = listener;
    },
    session: (earlier) => {
      state.live ??= begin(state, earlier);
      return state.live;
    },
    say: async (session, blocks, why, begun) => {
      if (modes.isLeft()) await keepMode(state);
      return replies.say(session, blocks, why, begun);
    },
    keepMode: () => keepMode(state),
    allowMode: modes.allow,
    cancel: () => cancel(state),
    stop: (graceMs) => stop(state, graceMs),
    end: (graceMs, after) => end(state, graceMs, after),
    isReplying: () => replies.ended() !== null,
    takesMessages: (steer) => {
      const { reach } = state;
      return reach === 'steering' || reach === 'second-prompt' || (steer && reach === 'cutting-steering');
    },
    pulls: () => state.reach === 'pull',
    inject: async (session, blocks) => {
      if (state.reach === 'steering' || state.reach === 'cutting-steering')
        return session.link.steer(session.id, blocks);
      return replies.join(session, blocks);
    },
  };
};

const begin = async (state: State, earlier: string | null): Promise<LiveSession> => {
  const { brief, host, clock, profile, program, withheld } = state.ports;
  const { listener } = state;
  if (listener === null) throw new Error('the agent has no listener');
  const spawned = (started: StartedAgent): void => {
    state.agent = started;
  };
  const session = await startSession(
    {
      brief,
      host,
      clock,
      profile,
      program,
      withheld,
      tools: listener.servers,
      listed: listener.listed,
      spawned,
    },
    heardBy(state, listener),
    earlier,
  );
  state.reach = session.reach;
  state.modes.begin(session.keptMode, session.setMode);
  return session;
};

/** Everything that the agent says to us. Each sign shows that it has the prompt. */
const heardBy = (state: State, listener: Listener): Omit<LinkListener, 'started'> => {
  const { ports, modes, replies } = state;
  return {
    update: (_session, update) => {
      modes.take(update);
      listener.saw(update);
      replies.heard();
      replies.take(update);
    },
    permission: (request, over) => {
      replies.heard();
      return listener.permission(request, AbortSignal.any([over, state.asking.signal]));
    },
    elicit: (form, over) => {
      replies.heard();
      return listener.elicit(form, AbortSignal.any([over, state.asking.signal]));
    },
    pull: listener.pull,
    log: ports.log.write,
  };
};

/** An agent that is busy may answer late: the work continues meanwhile. */
const keepMode = async (state: State): Promise<void> => {
  if (state.modes.isLeft()) await shortly(state, state.modes.putBack());
};

const cancel = async (state: State): Promise<void> => {
  const ended = state.replies.ended();
  if (!state.live || ended === null) return;
  const asked = state.live.then(({ link, id }) => link.cancel(id));
  // An agent in an open permission ends its reply only after the answer, which is `cancelled` (src/agents/README.md, ACP flow, step 8).
  const over = asked.then(() => {
    state.asking.abort();
    state.asking = new AbortController();
    return ended;
  });
  await shortly(state, over);
};

const end = async (
  state: State,
  graceMs: number,
  after: AfterWork | undefined,
): Promise<readonly number[]> => {
  if (!state.agent) return [];
  const { exit } = state.agent.child;
  const kept = after === undefined ? [] : await leave(state, after);
  if (kept.length > 0) return kept;
  const closed = state.live?.then(({ link, id }) => link.close(id));
  if (closed) await shortly(state, closed);
  await withinMs(state.ports.clock, exitPatienceMs, exit);
  await stop(state, graceMs);
  return [];
};

/** Leaves the agent to the next work. From then on nothing of this conversation may stop it. */
const leave = async (state: State, after: AfterWork): Promise<readonly number[]> => {
  const warm = state.agent?.warm;
  if (warm === undefined || state.live === null || state.replies.ended() !== null) return [];
  const { link, id } = await state.live;
  await shortly(state, link.leave(id));
  for (let look = 0; look < mostLooks; look += 1) {
    const kept = warm.leave(id, after);
    if (kept.length > 0) {
      state.agent = null;
      return kept;
    }
    // Codex has git look at the tree after a reply.
    await new Promise<void>((resolve) => void state.ports.clock.after(lookMs, resolve));
  }
  return [];
};

const stop = async ({ agent }: State, graceMs: number): Promise<void> => {
  await agent?.child.stop(graceMs);
};

const shortly = ({ ports }: State, work: Promise<unknown>): Promise<void> =>
  withinMs(ports.clock, patienceMs, work);
