import type { AgentUsage, PlanEntry, TokenCount } from '../../agent-facts.ts';
import type { BackendHost } from '../../port.ts';
import { createRecentText } from '../recent-text.ts';
import type { ToolBook } from './tool-book.ts';
import type { AgentUpdate } from './updates.ts';

/** An agent's reply to one prompt. */
export interface Reply {
  take(update: AgentUpdate): void;
  /** The end of the reply's text, as long as an answer may be. */
  text(): string;
  /** The sum of what the agent reported with pieces of its text; `null` if it reported none. */
  tokens(): TokenCount | null;
  /** Writes what is still buffered: a thought, an unfinished line. */
  close(): void;
}

const keptCharacters = 262_144;
const shownThought = 2_000;
const encoder = new TextEncoder();

interface State {
  readonly host: BackendHost;
  readonly memory: ReplyMemory;
  readonly said: ReturnType<typeof createRecentText>;
  /** The last line of text is unfinished. */
  isLineOpen: boolean;
  /** The id of the message that was begun last. */
  message: string | null;
  thought: string;
  /** The length of the whole thought, of which `thought` is the beginning. */
  characters: number;
  usage: AgentUsage | null;
  toldUsed: number;
  tokens: TokenCount | null;
}

/**
 * Turns the updates of one reply into output and facts. Text passes at once, and each thought becomes one fact. Tool calls go through the tool book.
 * Plans and context sizes are reported only when they change.
 */
export const createReply = (host: BackendHost, tools: ToolBook, memory: ReplyMemory): Reply => {
  const state: State = {
    host,
    memory,
    said: createRecentText(keptCharacters),
    isLineOpen: false,
    message: null,
    thought: '',
    characters: 0,
    usage: null,
    toldUsed: 0,
    tokens: null,
  };
  return {
    take: (update) => take(state, tools, update),
    text: state.said.text,
    tokens: () => state.tokens,
    close: () => {
      endThought(state);
      endLine(state);
      tellUsage(state);
    },
  };
};

const take = (state: State, tools: ToolBook, update: AgentUpdate): void => {
  const { host, memory } = state;
  host.heard?.();
  if (update.kind !== 'thought') endThought(state);
  switch (update.kind) {
    case 'text':
      if (update.tokens) state.tokens = sum(state.tokens, update.tokens);
      if (isAnother(state, update.message)) breakLine(state);
      say(state, update.text);
      return;
    case 'thought':
      endLine(state);
      think(state, update.text);
      return;
    case 'tool':
      endLine(state);
      tools.take(update.call, update.begins === true);
      return;
    case 'plan':
      notePlan(state, update.entries);
      return;
    case 'usage': {
      const { used, size, cost } = update;
      state.usage = { used, size, ...(cost ? { cost } : {}) };
      // Some agents send usage with every chunk. Within a reply, report only steps of at least a twentieth of the context.
      if (Math.abs(used - state.toldUsed) * 20 >= size) tellUsage(state);
      return;
    }
    case 'mode':
      if (isNew(memory, 'mode', update.mode)) host.emit({ type: 'agent.mode-changed', mode: update.mode });
      return;
    case 'options': {
      const mode = update.options.find(({ category }) => category === 'mode')?.value;
      if (typeof mode === 'string' && isNew(memory, 'mode', mode))
        host.emit({ type: 'agent.mode-changed', mode });
      return;
    }
    case 'compacted':
      host.emit({ type: 'agent.context-compacted' });
      return;
    case 'other':
      return;
  }
};

const say = (state: State, text: string): void => {
  if (text === '') return;
  const bytes = encoder.encode(text);
  state.said.add(bytes);
  state.host.output(bytes, 'stdout');
  state.isLineOpen = !text.endsWith('\n');
};

/** A piece of another message than the one before, by the agent's own ids. */
const isAnother = (state: State, message: string | undefined): boolean => {
  const last = state.message;
  state.message = message ?? last;
  return message !== undefined && last !== null && message !== last;
};

/** The next message begins on a line of its own, for people and for the parser of the reply. */
const breakLine = (state: State): void => {
  if (state.isLineOpen) say(state, '\n');
};

const endLine = (state: State): void => {
  if (state.isLineOpen) state.host.output(encoder.encode('\n'), 'stdout');
  state.isLineOpen = false;
};

const think = (state: State, text: string): void => {
  state.characters += text.length;
  if (state.thought.length < shownThought) state.thought = (state.thought + text).slice(0, shownThought);
};

const endThought = (state: State): void => {
  const { thought, characters, host } = state;
  if (thought.trim() !== '') host.emit({ type: 'thought.noted', text: thought, characters });
  state.thought = '';
  state.characters = 0;
};

const tellUsage = (state: State): void => {
  const { usage, memory, host } = state;
  if (usage === null || !isNew(memory, 'usage', usage)) return;
  state.toldUsed = usage.used;
  host.emit({ type: 'agent.usage-reported', ...usage });
};

const notePlan = ({ host, memory }: State, entries: readonly PlanEntry[]): void => {
  const kept = entries.slice(0, 50).map(({ text, status }) => ({ text: text.slice(0, 200), status }));
  if (isNew(memory, 'plan', kept)) host.emit({ type: 'agent-plan.noted', entries: kept });
};

const sum = (before: TokenCount | null, more: TokenCount): TokenCount => ({
  input: (before?.input ?? 0) + more.input,
  output: (before?.output ?? 0) + more.output,
});

/** The last reported value of each kind, as text, because agents repeat themselves with every chunk. */
export type ReplyMemory = Map<'usage' | 'mode' | 'plan', string>;

const isNew = (memory: ReplyMemory, kind: 'usage' | 'mode' | 'plan', value: unknown): boolean => {
  const text = JSON.stringify(value);
  if (memory.get(kind) === text) return false;
  memory.set(kind, text);
  return true;
};
