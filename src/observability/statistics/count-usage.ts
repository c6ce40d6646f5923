import { nothingSpent, type Spent, totalOf, withCost, withReply } from '../../pipeline/agents/spending.ts';
import type { Event } from '../../pipeline/event.ts';
import type { Role } from '../../signals/signal.ts';
import type { Counter } from './counter.ts';

/** Tokens and cost as agents reported them; nothing is estimated. */
export interface UsageCounts {
  readonly total: Usage;
  readonly byAgent: readonly (Usage & { readonly agent: string })[];
  readonly byRole: readonly (Usage & { readonly role: string })[];
  readonly byDay: readonly (Usage & { readonly day: string })[];
}

export interface Usage {
  readonly costs: readonly { readonly amount: number; readonly currency: string }[];
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Replies for which the agent reported no tokens. */
  readonly uncountedReplies: number;
}

/** What one session of an agent used on one day. */
interface Part {
  readonly day: string;
  readonly spent: Spent;
}

export const createUsageCount = (dayOf: (ms: number) => string): Counter<UsageCounts> => {
  const parts: Part[] = [];
  let works = new Map<
    string,
    { readonly role: Role; readonly task: string | null; readonly backend: string }
  >();
  let sessions = new Map<string, string>();
  let spending = new Map<string, Map<string, Spent>>();
  let reported = new Map<string, number>();

  const spend = (invocation: string, day: string, add: (spent: Spent) => Spent): void => {
    const work = works.get(invocation);
    if (work === undefined) return;
    const key = sessions.get(invocation) ?? invocation;
    const days = spending.get(key) ?? new Map<string, Spent>();
    spending.set(key, days);
    const before = days.get(day) ?? nothingSpent(work.role, work.task, work.backend);
    // Agents report running totals: yesterday's part is no part of today's.
    const after = add({ ...before, reported: reported.get(key) ?? 0 });
    reported.set(key, after.reported);
    days.set(day, after);
  };
  const close = (): void => {
    for (const days of spending.values()) for (const [day, spent] of days) parts.push({ day, spent });
    spending = new Map();
  };
  return {
    begin: () => {
      close();
      works = new Map();
      sessions = new Map();
      reported = new Map();
    },
    take: (event, ms) => {
      if (event.type === 'invocation.started')
        works.set(event.invocation, { role: event.role, task: event.task ?? null, backend: event.backend });
      if (event.type === 'agent.connected') sessions.set(event.invocation, event.session);
      if (event.type === 'agent.usage-reported' && event.cost !== undefined)
        spend(event.invocation, dayOf(ms), withCost(event.cost));
      if (event.type === 'reply.ended' && isCounted(event))
        spend(event.invocation, dayOf(ms), withReply(event.tokens ?? null));
    },
    result: () => {
      close();
      return {
        total: usageOf(parts),
        byAgent: groups(parts, ({ spent }) => spent.backend).map(([agent, own]) => ({
          agent,
          ...usageOf(own),
        })),
        byRole: groups(parts, ({ spent }) => spent.role).map(([role, own]) => ({ role, ...usageOf(own) })),
        byDay: groups(parts, ({ day }) => day)
          .map(([day, own]) => ({ day, ...usageOf(own) }))
          .sort((a, b) => (a.day < b.day ? -1 : 1)),
      };
    },
  };
};

/** A reply that was cut or lost has no counts from any agent. */
const isCounted = (event: Extract<Event, { type: 'reply.ended' }>): boolean =>
  event.tokens !== undefined || (event.stop !== 'lost' && event.stop !== 'cancelled');

const groups = (
  parts: readonly Part[],
  keyOf: (part: Part) => string,
): readonly (readonly [string, readonly Part[]])[] => [...Map.groupBy(parts, keyOf)];

const usageOf = (parts: readonly Part[]): Usage => {
  const { costs, tokens, uncounted } = totalOf(parts.map(({ spent }) => spent));
  return { costs, tokensIn: tokens.input, tokensOut: tokens.output, uncountedReplies: uncounted };
};
