import { withinMs } from '../../../base/after-awake.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Child } from '../../../base/process/spawn.ts';
import type { PromptReason, Reach, StopReason, TokenCount } from '../../agent-facts.ts';
import type { BackendHost, Brief } from '../../port.ts';
import type { AgentProfile } from '../../profiles/profile.ts';
import type { AgentLog } from './agent-log.ts';
import type { LinkListener, PromptBlock, ToolServer } from './link.ts';
import { type Connect, type LiveSession, startSession } from './live-session.ts';
import { createModeGuard, type ModeGuard } from './mode-guard.ts';
import { createReply, type Reply, type ReplyMemory } from './reply.ts';
import type { ToolBook } from './tool-book.ts';
import type { AgentUpdate } from './updates.ts';

export interface ConversationPorts {
  readonly brief: Brief;
  readonly host: BackendHost;
  readonly clock: Clock;
  readonly profile: AgentProfile;
  readonly connect: Connect;
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
  /** Our tools, opened for this agent before it starts. */
  readonly servers: () => Promise<readonly ToolServer[]>;
  /** Resolves when the agent has listed them. */
  readonly listed: () => Promise<void>;
}

/** One agent process with its session, from the first prompt to the end. */
export interface Conversation {
  /** Sets what answers the agent, once, before its session begins. */
  listen(listener: Listener): void;
  /** Gives the session and starts it on the first call. `earlier` is the agent's own id of an older session. Rejects with a `FaultError`. */
  session(earlier: string | null): Promise<LiveSession>;
  /**
   * Sends one prompt and waits for the end of its reply. Calls `begun` once, at the first sign that the agent has the prompt. Rejects with a
   * `FaultError` if the agent ends first.
   */
  say(
    session: LiveSession,
    blocks: readonly PromptBlock[],
    why: PromptReason,
    begun?: () => void,
  ): Promise<Said>;
  /** Asks the agent to end its current reply and waits briefly. */
  cancel(): Promise<void>;
  /** Closes the session and stdin, waits briefly, then stops the rest. */
  end(graceMs: number): Promise<void>;
  /** Stops everything and resolves once that is verified. */
  stop(graceMs: number): Promise<void>;
  /** Puts back a mode that the agent chose by itself. */
  keepMode(): Promise<void>;
  /** A change of mode was allowed. */
  readonly allowMode: ModeGuard['allow'];
  readonly isReplying: () => boolean;
  /** Whether a message can be injected into the current reply: an order is worth more than an INFO. */
  readonly takesMessages: (steer: boolean) => boolean;
  /** Injects a message into the current reply. Gives `false` if the reply was over and the agent did not take the message. */
  inject(session: LiveSession, blocks: readonly PromptBlock[]): Promise<boolean>;
}

interface Said {
  readonly text: string;
  readonly stop: StopReason;
}

/** How long to wait for an agent to end its turn or close before stopping it. */
const patienceMs = 1_000;

interface CurrentReply {
  readonly words: Reply;
  readonly ended: Promise<unknown>;
  /** Prompts that were injected into it: an agent may answer each on its own, after the first. */
  readonly injected: Promise<unknown>[];
  /** Reports a sign of the agent. The first one shows that it has the prompt. */
  readonly heard: () => void;
}

interface State {
  readonly ports: ConversationPorts;
  readonly memory: ReplyMemory;
  readonly modes: ModeGuard;
  listener: Listener | null;
  child: Child | null;
  live: Promise<LiveSession> | null;
  reply: CurrentReply | null;
  /** Number of prompts sent. */
  prompts: number;
  reach: Reach;
  /** Ends the permission requests of the current reply. */
  asking: AbortController;
}

export const createConversation = (ports: ConversationPorts): Conversation => {
  const modes = createModeGuard(ports.profile.label, ports.host.emit);
  const state: State = {
    ports,
    modes,
    memory: new Map(),
    listener: null,
    child: null,
    live: null,
    reply: null,
    prompts: 0,
    reach: 'turn-end',
    asking: new AbortController(),
  };
  return {
    listen: (listener) => {
      state.listener = listener;
    },
    session: (earlier) => {
      state.live ??= begin(state, earlier);
      return state.live;
    },
    say: (session, blocks, why, begun) => say(state, session, blocks, why, begun),
    keepMode: () => keepMode(state),
    allowMode: modes.allow,
    cancel: () => cancel(state),
    stop: (graceMs) => stop(state, graceMs),
    end: (graceMs) => end(state, graceMs),
    isReplying: () => state.reply !== null,
    takesMessages: (steer) => {
      const { reach } = state;
      return reach === 'steering' || reach === 'second-prompt' || (steer && reach === 'cutting-steering');
    },
    inject: async ({ link, id }, blocks) => {
      if (state.reach === 'steering' || state.reach === 'cutting-steering') return link.steer(id, blocks);
      if (state.reply === null) return false;
      // Its text joins the current reply.
      state.reply.injected.push(link.prompt(id, blocks).catch(() => {}));
      return true;
    },
  };
};

const begin = async (state: State, earlier: string | null): Promise<LiveSession> => {
  const { brief, host, clock, profile, connect, withheld } = state.ports;
  const { listener } = state;
  if (listener === null) throw new Error('nothing listens to the agent');
  const spawned = (child: Child): void => {
    state.child = child;
  };
  const tools = await listener.servers();
  const session = await startSession(
    { brief, host, clock, profile, connect, withheld, tools, listed: listener.listed, spawned },
    heardBy(state, listener),
    earlier,
  );
  state.reach = session.reach;
  state.modes.begin(session.keptMode, session.setMode);
  return session;
};

/** Everything that the agent says to us. Each sign shows that it has the prompt. */
const heardBy = (state: State, listener: Listener): Omit<LinkListener, 'started'> => {
  const { ports, modes } = state;
  return {
    update: (_session, update) => {
      modes.take(update);
      listener.saw(update);
      state.reply?.heard();
      state.reply?.words.take(update);
    },
    permission: (request, over) => {
      state.reply?.heard();
      return listener.permission(request, AbortSignal.any([over, state.asking.signal]));
    },
    elicit: (form, over) => {
      state.reply?.heard();
      return listener.elicit(form, AbortSignal.any([over, state.asking.signal]));
    },
    pull: listener.pull,
    log: ports.log.write,
  };
};

const say = async (
  state: State,
  { link, id }: LiveSession,
  blocks: readonly PromptBlock[],
  why: PromptReason,
  begun?: () => void,
): Promise<Said> => {
  const { host, clock, book } = state.ports;
  if (state.modes.isLeft()) await keepMode(state);
  const index = state.prompts;
  state.prompts += 1;
  const sent = clock.monotonic();
  const heard = once(begun);
  const words = createReply(host, book, state.memory);
  host.emit({ type: 'prompt.sent', index, why });
  const ended = link.prompt(id, blocks);
  const injected: Promise<unknown>[] = [];
  state.reply = { words, ended, injected, heard };
  const over = (stop: StopReason | 'lost', tokens: TokenCount | null): void => {
    words.close();
    book.endAll();
    state.reply = null;
    const duration_ms = Math.max(0, Math.round(clock.monotonic() - sent));
    host.emit({ type: 'reply.ended', index, stop, duration_ms, ...(tokens ? { tokens } : {}) });
  };
  try {
    const { stop, tokens } = await ended;
    heard();
    for (const further of injected) await further;
    over(stop, tokens ?? words.tokens());
    return { text: words.text(), stop };
  } catch (error) {
    over('lost', null);
    throw error;
  }
};

/** An agent that is busy may answer late: the work goes on meanwhile. */
const keepMode = async (state: State): Promise<void> => {
  if (state.modes.isLeft()) await shortly(state, state.modes.putBack());
};

const cancel = async (state: State): Promise<void> => {
  if (!state.live || !state.reply) return;
  const { ended } = state.reply;
  const asked = state.live.then(({ link, id }) => link.cancel(id));
  // An agent in an open permission ends its reply only after the answer, which is `cancelled` (src/agents/README.md, ACP flow, step 8).
  const over = asked.then(() => {
    state.asking.abort();
    state.asking = new AbortController();
    return ended;
  });
  await shortly(state, over);
};

const end = async (state: State, graceMs: number): Promise<void> => {
  if (!state.child) return;
  const { exit } = state.child;
  const closed = state.live?.then(({ link, id }) => link.close(id));
  if (closed) await shortly(state, closed);
  await shortly(state, exit);
  await stop(state, graceMs);
};

const stop = async ({ child }: State, graceMs: number): Promise<void> => {
  await child?.stop(graceMs);
};

const shortly = ({ ports }: State, work: Promise<unknown>): Promise<void> =>
  withinMs(ports.clock, patienceMs, work);

/** Calls `run` the first time only. */
const once = (run: () => void = () => undefined): (() => void) => {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    run();
  };
};
