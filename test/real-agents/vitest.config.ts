import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The file that mostly waits begins first, so that all others run beside it. */
class HoldsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const waits = ({ moduleId }: TestSpecification): boolean => moduleId.endsWith('holds.test.ts');
    const sorted = await super.sort(files);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}

/**
 * The tests with real coding agents, apart from `npm test`: they need half a gigabyte of agents. Three at once: two cores are busy
 * for less than half of the time with two, because agents wait too, and one file waits for minutes while its agents are held.
 */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    pool: 'forks',
    maxWorkers: 3,
    sequence: { sequencer: HoldsFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As in the other tests: the default of 1 s is less than a loaded machine takes.
    expect: { poll: { timeout: 20_000 } },
    env: { NODE_ENV: 'production' },
    include: ['test/real-agents/**/*.test.ts'],
  },
});
