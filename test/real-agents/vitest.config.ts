import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { limits } from '../helpers/limits.ts';

/** Those that mostly wait begin first, so that all others run beside them, and the one with most tests, so that it does not run alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isEarly = ({ moduleId }: TestSpecification): boolean =>
      /(?:holds|runners|own-machine|agent-failures)\.test\.ts$/.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isEarly), ...sorted.filter((file) => !isEarly(file))];
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
