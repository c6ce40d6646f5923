import type { Scenario } from './scenario.ts';
import { simulate, type Verdict } from './simulate.ts';

/** Plays a scenario; what is thrown out of a session is a broken promise too. */
export const play = async (scenario: Scenario): Promise<Verdict> => {
  try {
    return await simulate(scenario);
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { problems: [`threw: ${text}`], disturbances: [], events: 0, counts: {} };
  }
};
