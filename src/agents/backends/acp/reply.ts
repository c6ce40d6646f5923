import type { AgentFact, AgentUsage, PlanEntry, TokenCount } from '../../agent-facts.ts';
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

/**
 * Turns the updates of one reply into output and facts. Text passes at once, and each thought becomes one fact. Tool calls go through the tool book.
 * Plans and context sizes are reported only when they change.
 */
export const createReply = (host: BackendHost, tools: ToolBook, memory: ReplyMemory): Reply => {
  const encoder = new TextEncoder();
  const said = createRecentText(keptCharacters);
  let open = false;
  let thought = '';
  let characters = 0;
  let usage: AgentUsage | null = null;
  let toldUsed = 0;
  let tokens: TokenCount | null = null;

  const emit = (fact: AgentFact): void => host.emit(fact);

  const tellUsage = (): void => {
    if (usage === null || !isNew(memory, 'usage', usage)) return;
    toldUsed = usage.used;
    emit({ type: 'agent.usage-reported', ...usage });
  };
  const endThought = (): void => {
    if (thought.trim() !== '') emit({ type: 'thought.noted', text: thought, characters });
    thought = '';
    characters = 0;
  };
  const endLine = (): void => {
    if (open) host.output(encoder.encode('\n'), 'stdout');
    open = false;
  };

  const take = (update: AgentUpdate): void => {
    host.heard?.();
    if (update.kind !== 'thought') endThought();
    switch (update.kind) {
      case 'text': {
        if (update.tokens) tokens = sum(tokens, update.tokens);
        if (update.text === '') return;
        const bytes = encoder.encode(update.text);
        said.add(bytes);
        host.output(bytes, 'stdout');
        open = !update.text.endsWith('\n');
        return;
      }
      case 'thought':
        endLine();
        characters += update.text.length;
        if (thought.length < shownThought) thought = (thought + update.text).slice(0, shownThought);
        return;
      case 'tool':
        endLine();
        tools.take(update.call, update.begins === true);
        return;
      case 'plan':
        notePlan(update.entries);
        return;
      case 'usage': {
        usage = { used: update.used, size: update.size, ...(update.cost ? { cost: update.cost } : {}) };
        // Some agents send usage with every chunk. Within a reply, report only steps of at least a twentieth of the context.
        if (Math.abs(usage.used - toldUsed) * 20 >= usage.size) tellUsage();
        return;
      }
      case 'mode':
        if (isNew(memory, 'mode', update.mode)) emit({ type: 'agent.mode-changed', mode: update.mode });
        return;
      case 'options': {
        const mode = update.options.find(({ category }) => category === 'mode')?.value;
        if (typeof mode === 'string' && isNew(memory, 'mode', mode))
          emit({ type: 'agent.mode-changed', mode });
        return;
      }
      case 'compacted':
        emit({ type: 'agent.context-compacted' });
        return;
      case 'other':
        return;
    }
  };

  const notePlan = (entries: readonly PlanEntry[]): void => {
    const kept = entries.slice(0, 50).map(({ text, status }) => ({ text: text.slice(0, 200), status }));
    if (isNew(memory, 'plan', kept)) emit({ type: 'agent-plan.noted', entries: kept });
  };

  return {
    take,
    text: said.text,
    tokens: () => tokens,
    close: () => {
      endThought();
      endLine();
      tellUsage();
    },
  };
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
