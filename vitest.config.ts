import { defineConfig } from 'vitest/config';

/** The suite uses real processes and two cores: one worker a core, and a limit generous enough for a loaded machine. */
export default defineConfig({
  // With NODE_ENV production React has no development runtime for JSX.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env: { NODE_ENV: 'production' },
  },
});
