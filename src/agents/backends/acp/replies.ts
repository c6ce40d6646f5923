import type { Clock } from '../../../base/clock.ts';
import type { PromptReason, StopReason, TokenCount } from '../../agent-facts.ts';
import type { BackendHost } from '../../port.ts';
import type { PromptBlock } from './link.ts';
import type { LiveSession } from './live-session.ts';
import { createReply, type Reply, type ReplyMemory } from './reply.ts';
import type { ToolBook } from './tool-book.ts';
import type { AgentUpdate } from './updates.ts';

/** The prompts of one conversation, one at a time, and the reply to the last one while it runs. */
export interface Replies {
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
  /** Takes a sign of the agent. The first one shows that it has the prompt. */
  heard(): void;
  take(update: AgentUpdate): void;
  /** Settles when the agent has ended the reply that runs; `null`: none runs. */
  readonly ended: () => Promise<unknown> | null;
  /** Sends a prompt whose text joins the reply that runs. Gives `false` if none does. */
  join(session: LiveSession, blocks: readonly PromptBlock[]): boolean;
}

export interface Said {
  readonly text: string;
  readonly stop: StopReason;
  /** `null`: the agent reports none, or no model replied. */
  readonly tokens: TokenCount | null;
}

interface Ports {
  readonly host: BackendHost;
  readonly clock: Clock;
  readonly book: ToolBook;
}

interface CurrentReply {
  readonly index: number;
  readonly sent: number;
  readonly words: Reply;
  readonly ended: ReturnType<LiveSession['link']['prompt']>;
  /** Prompts that were injected into it: an agent may answer each on its own, after the first. */
  readonly injected: Promise<unknown>[];
  readonly heard: () => void;
}

interface State extends Ports {
  readonly memory: ReplyMemory;
  current: CurrentReply | null;
  /** Number of prompts sent. */
  prompts: number;
}

export const createReplies = (ports: Ports): Replies => {
  const state: State = { ...ports, memory: new Map(), current: null, prompts: 0 };
  return {
    say: (session, blocks, why, begun) => say(state, session, blocks, why, begun),
    heard: () => state.current?.heard(),
    take: (update) => state.current?.words.take(update),
    ended: () => state.current?.ended ?? null,
    join: ({ link, id }, blocks) => {
      if (state.current === null) return false;
      state.current.injected.push(link.prompt(id, blocks).catch(() => {}));
      return true;
    },
  };
};

const say = async (
  state: State,
  { link, id }: LiveSession,
  blocks: readonly PromptBlock[],
  why: PromptReason,
  begun?: () => void,
): Promise<Said> => {
  const { host, clock, book, memory } = state;
  const index = state.prompts;
  state.prompts += 1;
  const sent = clock.monotonic();
  const words = createReply(host, book, memory);
  host.emit({ type: 'prompt.sent', index, why });
  const reply = { index, sent, words, ended: link.prompt(id, blocks), injected: [], heard: once(begun) };
  state.current = reply;
  try {
    const { stop, tokens: counted } = await reply.ended;
    reply.heard();
    for (const further of reply.injected) await further;
    const tokens = counted ?? words.tokens();
    end(state, reply, stop, tokens);
    return { text: words.text(), stop, tokens };
  } catch (error) {
    end(state, reply, 'lost', null);
    throw error;
  }
};

const end = (
  state: State,
  { index, sent, words }: CurrentReply,
  stop: StopReason | 'lost',
  tokens: TokenCount | null,
): void => {
  words.close();
  state.book.endAll();
  state.current = null;
  const duration_ms = Math.max(0, Math.round(state.clock.monotonic() - sent));
  state.host.emit({ type: 'reply.ended', index, stop, duration_ms, ...(tokens ? { tokens } : {}) });
};

/** Calls `run` the first time only. */
const once = (run: () => void = () => undefined): (() => void) => {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    run();
  };
};
