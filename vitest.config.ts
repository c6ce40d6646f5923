import { defineConfig } from 'vitest/config';

/** Each of these uses every core by itself: beside them the limits of the others, who look at a real terminal, would say more about the machine than about the program. */
const heavy = ['test/sim/simulation.test.ts', 'test/signals/mailbox-storm.test.ts'];

/** The suite uses real processes and two cores: one worker a core, and a limit generous enough for a loaded machine. */
export default defineConfig({
  // With NODE_ENV production React has no development runtime for JSX.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  test: {
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env: { NODE_ENV: 'production' },
    projects: [
      {
        extends: true,
        test: {
          name: 'suite',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: heavy,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'heavy', include: heavy, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
