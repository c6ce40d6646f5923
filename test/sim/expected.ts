import type { Counts } from './coverage.ts';

/** What has to happen at least once in a thousand seeds: a simulation that does not come there proves nothing about it. */
const expected: readonly string[] = [];

/** What was expected and never happened. */
export const never = (counts: Counts): readonly string[] => expected.filter((name) => !counts[name]);
