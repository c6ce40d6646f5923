import { createUsageCount, type Usage } from './count-usage.ts';
import type { Counter } from './counter.ts';

/** What an invocation cost on average, of those whose agents reported a cost; `null`: none did. */
export const createCallCostCount = (): Counter<Usage['costs'][number] | null> => {
  const usage = createUsageCount(() => '');
  let priced = new Set<string>();
  let before = 0;
  return {
    begin: () => {
      usage.begin();
      before += priced.size;
      priced = new Set();
    },
    take: (event, at) => {
      usage.take(event, at);
      if (event.type === 'agent.usage-reported' && event.cost !== undefined) priced.add(event.invocation);
    },
    result: () => {
      const [cost] = usage.result().total.costs;
      return cost === undefined ? null : { ...cost, amount: cost.amount / (before + priced.size) };
    },
  };
};
