import type { Scenario } from './scenario.ts';
import { simulate } from './simulate.ts';

/** The smallest scenario near a failing one that fails too: fewer tasks first, then fewer disturbances, in halves, quarters and so on. */
export const shrink = async (failing: Scenario, patience = 30): Promise<Scenario> => {
  let left = patience;
  const fails = async (scenario: Scenario): Promise<boolean> => {
    left -= 1;
    return left >= 0 && (await simulate(scenario)).problems.length > 0;
  };
  let best: Scenario = { ...failing, only: failing.only ?? (await simulate(failing)).disturbances };
  for (let tasks = 1; tasks < 6; tasks += 1)
    if (await fails({ ...best, tasks })) {
      best = { ...best, tasks };
      break;
    }
  let size = Math.ceil((best.only ?? []).length / 2);
  while (size >= 1 && left > 0) {
    const numbers = best.only ?? [];
    for (let from = 0; from < numbers.length; from += size) {
      const only = [...numbers.slice(0, from), ...numbers.slice(from + size)];
      if (!(await fails({ ...best, only }))) continue;
      best = { ...best, only };
      break;
    }
    if (best.only === numbers) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return best;
};
