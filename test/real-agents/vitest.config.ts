import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { limits } from '../helpers/limits.ts';

/** The two that mostly wait begin first, so that all others run beside them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const waits = ({ moduleId }: TestSpecification): boolean => /(?:holds|runners)\.test\.ts$/.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}

/**
 * The tests with real coding agents, apart from `npm test`: they need half a gigabyte of agents. Four at once: with two, two
 * cores are busy for less than half of the time, because agents wait, too.
 */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    pool: 'forks',
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    testTimeout: limits.test,
    hookTimeout: limits.test,
    // A failure names whole values: CI keeps its message, not the comparison.
    chaiConfig: { truncateThreshold: 0 },
    expect: { poll: { timeout: limits.wait } },
    env: { NODE_ENV: 'production' },
    include: ['test/real-agents/**/*.test.ts'],
  },
});
