import { play } from './play.ts';
import type { Scenario } from './scenario.ts';

/**
 * The smallest scenario near a failing one that fails in the same way: fewer tasks first, then fewer disturbances, in halves, quarters and so on. Plays at most
 * `patience` scenarios, so it always comes to its end.
 */
export const shrink = async (failing: Scenario, patience = 120): Promise<Scenario> => {
  let left = patience;
  const whole = await play(failing);
  const kinds = new Set(whole.problems.map(kindOf));
  const fails = async (scenario: Scenario): Promise<boolean> => {
    left -= 1;
    return left >= 0 && (await play(scenario)).problems.some((problem) => kinds.has(kindOf(problem)));
  };
  let best: Scenario = { ...failing, only: failing.only ?? whole.disturbances };
  // With fewer tasks other disturbances happen, so the scenario's own are drawn anew.
  for (let tasks = 1; tasks < (best.tasks ?? 6); tasks += 1) {
    const fewer = { ...failing, tasks };
    if (!(await fails(fewer))) continue;
    best = { ...fewer, only: fewer.only ?? (await play(fewer)).disturbances };
    break;
  }
  for (let size = Math.ceil((best.only ?? []).length / 2); size >= 1 && left > 0; ) {
    const smaller = await without(best, size, fails);
    if (smaller) best = smaller;
    else size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return best;
};

/** The promise that a sentence says is broken, without the place and the names: while shrinking, one broken promise is not mistaken for another. */
const kindOf = (problem: string): string => problem.replace(/: .*$/s, '').replaceAll(/\S*\d\S*/g, '');

/** The same without one run of `size` disturbances, where that still fails. */
const without = async (
  scenario: Scenario,
  size: number,
  fails: (scenario: Scenario) => Promise<boolean>,
): Promise<Scenario | null> => {
  const numbers = scenario.only ?? [];
  for (let from = 0; from < numbers.length; from += size) {
    const smaller = { ...scenario, only: [...numbers.slice(0, from), ...numbers.slice(from + size)] };
    if (await fails(smaller)) return smaller;
  }
  return null;
};
