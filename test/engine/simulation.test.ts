import { expect, test } from 'vitest';
import { simulate } from '../helpers/simulation.ts';

/** `SIM_SEED=17 vitest run test/engine/simulation.test.ts` plays one seed again; `SIM_SEEDS=1000` plays that many. */
const only = process.env['SIM_SEED'];
const count = Number(process.env['SIM_SEEDS'] ?? 60);
const seeds = only === undefined ? Array.from({ length: count }, (_, index) => index + 1) : [Number(only)];

test(`sessions of ${seeds.length} seeds keep their promises, whatever is thrown at them`, async () => {
  const failures: string[] = [];
  for (const seed of seeds)
    for (const problem of await simulate(seed)) failures.push(`SIM_SEED=${seed}: ${problem}`);
  expect(failures).toEqual([]);
}, 1_200_000);
