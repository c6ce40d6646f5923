import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The tests with real coding agents, apart from `npm test`: they need half a gigabyte of agents. One after the other, because agents are heavy. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { NODE_ENV: 'production' },
    include: ['test/real-agents/**/*.test.ts'],
  },
});
