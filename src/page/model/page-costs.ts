import { safe } from '../../base/safe.ts';
import { type Spending, type Spent, totalOf, usageBy } from '../../pipeline/agents/spending.ts';

/** What one agent or one task used. Only what agents reported. */
export interface CostRow {
  readonly name: string;
  readonly costs: readonly { readonly amount: number; readonly currency: string }[];
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Replies without a count. */
  readonly uncounted: number;
}

export const costsBy = (spending: Spending, nameOf: (spent: Spent) => string | null): readonly CostRow[] =>
  [...usageBy(spending, nameOf)].flatMap(([name, all]): readonly CostRow[] => {
    if (name === null) return [];
    const { costs, tokens, uncounted } = totalOf(all);
    if (costs.length === 0 && tokens.input + tokens.output === 0) return [];
    return [
      {
        name: safe(name),
        costs: costs.map(({ amount, currency }) => ({ amount, currency: safe(currency) })),
        tokensIn: tokens.input,
        tokensOut: tokens.output,
        uncounted,
      },
    ];
  });
