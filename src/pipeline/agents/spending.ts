import type { TokenCount } from '../../agents/agent-facts.ts';
import type { Settings } from '../../session/settings.ts';
import type { Role } from '../../signals/signal.ts';
import type { TaskId } from '../../tasks/task.ts';
import type { EventOf } from '../event.ts';

/** What agents used in a session, by the id of the agent's own session (of the invocation where the agent names none). */
export type Spending = ReadonlyMap<string, Spent>;

/** What one session of an agent used. Only what the agent reported: prices are never guessed. */
export interface Spent {
  readonly role: Role;
  readonly task: TaskId | null;
  readonly backend: string;
  readonly cost: Cost | null;
  /** The newest total of the agent. A lower one than before begins a new count: the agent was restarted. */
  readonly reported: number;
  readonly tokens: TokenCount;
  /** Replies whose tokens the agent did not report. */
  readonly uncounted: number;
}

interface Cost {
  readonly amount: number;
  readonly currency: string;
}

/** Sums over several agents' sessions. */
export interface Total {
  /** By currency, in the order of their first report. Empty where no agent reports its cost. */
  readonly costs: readonly Cost[];
  readonly tokens: TokenCount;
  readonly uncounted: number;
}

export const nothingSpent = (role: Role, task: TaskId | null, backend: string): Spent => ({
  role,
  task,
  backend,
  cost: null,
  reported: 0,
  tokens: { input: 0, output: 0 },
  uncounted: 0,
});

/** After a report of what the agent's session has cost so far. */
export const withCost =
  ({ amount, currency }: Cost) =>
  (spent: Spent): Spent => {
    const more = amount >= spent.reported ? amount - spent.reported : amount;
    return { ...spent, cost: { amount: (spent.cost?.amount ?? 0) + more, currency }, reported: amount };
  };

/** After a reply. `null`: the agent reported no tokens for it. */
export const withReply =
  (tokens: TokenCount | null) =>
  (spent: Spent): Spent =>
    tokens === null
      ? { ...spent, uncounted: spent.uncounted + 1 }
      : {
          ...spent,
          tokens: {
            input: spent.tokens.input + tokens.input,
            output: spent.tokens.output + tokens.output,
          },
        };

/** The sum of these, e.g. of all entries of one task. */
export const totalOf = (all: Iterable<Spent>): Total => {
  const costs = new Map<string, number>();
  let input = 0;
  let output = 0;
  let uncounted = 0;
  for (const { cost, tokens, uncounted: without } of all) {
    if (cost !== null) costs.set(cost.currency, (costs.get(cost.currency) ?? 0) + cost.amount);
    input += tokens.input;
    output += tokens.output;
    uncounted += without;
  }
  return {
    costs: [...costs].map(([currency, amount]) => ({ amount, currency })),
    tokens: { input, output },
    uncounted,
  };
};

/** The entries by role, task or agent, in the order of their first report. */
export const usageBy = <K>(
  spending: Spending,
  keyOf: (spent: Spent) => K,
): ReadonlyMap<K, readonly Spent[]> => Map.groupBy(spending.values(), keyOf);

/**
 * The limit that the spending has reached, or `null`. A limit that cannot be counted counts as reached: an agent that reports no tokens, or its
 * cost in another currency than USD, would pass it unseen.
 */
export const spentLimit = (
  spending: Spending,
  limits: Settings['limits'],
): Pick<EventOf<'limit.reached'>, 'limit' | 'reason'> | null => {
  if ((limits.max_cost === null && limits.max_tokens === null) || spending.size === 0) return null;
  const { costs, tokens } = totalOf(spending.values());
  if (limits.max_cost !== null) {
    const other = costs.find(({ currency }) => currency !== 'USD');
    if (other)
      return {
        limit: 'max_cost',
        reason: `max_cost is in USD, but an agent reports its cost in ${other.currency}`,
      };
    for (const { cost, tokens, uncounted, backend } of spending.values())
      if (cost === null && (uncounted > 0 || tokens.output > 0))
        return { limit: 'max_cost', reason: `${backend} reports no cost, so max_cost cannot be enforced` };
    const amount = costs[0]?.amount ?? 0;
    if (amount >= limits.max_cost)
      return {
        limit: 'max_cost',
        reason: `${amount.toFixed(2)} USD spent; max_cost is ${limits.max_cost} USD`,
      };
  }
  if (limits.max_tokens !== null) {
    for (const { uncounted, backend } of spending.values())
      if (uncounted > 0)
        return {
          limit: 'max_tokens',
          reason: `${backend} reports no tokens, so max_tokens cannot be enforced`,
        };
    const used = tokens.input + tokens.output;
    if (used >= limits.max_tokens)
      return { limit: 'max_tokens', reason: `${used} tokens used; max_tokens is ${limits.max_tokens}` };
  }
  return null;
};
