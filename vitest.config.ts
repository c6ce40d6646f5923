import { defineConfig } from 'vitest/config';
import { limits } from './test/helpers/limits.ts';
import { takeScratchOfRun } from './test/helpers/scratch-of-run.ts';
import { slowestFiles } from './test/helpers/slowest-files-reporter.ts';
import { staleBuild } from './test/helpers/stale-build-reporter.ts';
import { TestOrder } from './test/helpers/test-order.ts';

/** Each of these uses every core by itself: beside them the limits of the others, who look at a real terminal, would say more about the machine than about the program. */
const heavy = ['test/sim/simulation.test.ts', 'test/signals/mailbox-storm.test.ts'];

takeScratchOfRun();

/** A file for the results as JSON, for CI. */
const report = process.env['TEST_REPORT'];
const json: ['json', { outputFile: string }][] =
  report === undefined ? [] : [['json', { outputFile: report }]];

const print = (text: string): void => void process.stdout.write(text);

/** These start the program, mostly on a pseudo-terminal, and wait for two thirds of the time: six of them keep two cores busy. */
const terminals = ['test/e2e/**/*.test.ts'];

/** The rest mostly computes. */
export default defineConfig({
  test: {
    pool: 'forks',
    testTimeout: limits.test,
    hookTimeout: limits.test,
    // A failure names whole values: CI keeps its message, not the comparison.
    chaiConfig: { truncateThreshold: 0 },
    // The default of 1 s is less than a loaded machine takes to write a file.
    expect: { poll: { timeout: limits.wait } },
    env: { NODE_ENV: 'production' },
    setupFiles: ['test/helpers/start-worker.mjs'],
    // Node loads the modules (load-natively.ts).
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: TestOrder },
    reporters: ['default', staleBuild(print), slowestFiles(print), ...json],
    projects: [
      {
        extends: true,
        test: {
          name: 'suite',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...heavy, ...terminals, 'test/real-agents/**'],
          // Some start git and runners and wait for them: with two workers two cores were idle for a quarter of the time.
          maxWorkers: 3,
          // A worker loads a module once, not once a file: two fifths of the processor time of these 216 files was loading.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'terminals',
          include: terminals,
          maxWorkers: 6,
          // As above: a worker a file cost 0.7 s of processor time each.
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'heavy', include: heavy, maxWorkers: 1, sequence: { groupOrder: 2 } },
      },
    ],
  },
});
