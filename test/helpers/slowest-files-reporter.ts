import { existsSync, readFileSync, writeSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

const shown = 5;

/**
 * Prints the files that took longest and how long all of them took together, so that a suite that grows slow is seen at once. The last line is what
 * the run cost: processor time of this process, its workers and the programs they started, which a busy machine changes less than the seconds.
 */
export const slowestFiles = (write: (text: string) => void): Reporter => ({
  onTestRunEnd: (modules) => {
    // The last workers are counted when they have ended.
    process.once('exit', () => {
      const stat = '/proc/self/stat';
      if (existsSync(stat))
        writeSync(1, costLine(cpuSecondsOf(readFileSync(stat, 'utf8')), process.uptime()));
    });
    const files = modules.map((module) => ({ name: module.relativeModuleId, ms: timeOf(module) }));
    const total = files.reduce((sum, { ms }) => sum + ms, 0);
    const lines = [...files]
      .sort((a, b) => b.ms - a.ms)
      .slice(0, shown)
      .map(({ name, ms }) => `${inSeconds(ms)}  ${name}`);
    write(
      [
        '',
        ' Slowest files',
        ...lines,
        `${inSeconds(total)}  ${files.length} files, one after another`,
        '',
      ].join('\n'),
    );
  },
});

const timeOf = (module: TestModule): number => {
  const { duration, setupDuration, collectDuration } = module.diagnostic();
  return duration + setupDuration + collectDuration;
};

const inSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`.padStart(10);

/** Of a process and its children that have ended, from its `/proc/PID/stat`. Linux counts in hundredths there on every machine. */
export const cpuSecondsOf = (stat: string): number =>
  stat
    // The name of the program may hold anything, blanks and brackets too.
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks), 0) / 100;

export const costLine = (cpuSeconds: number, seconds: number): string =>
  `${inSeconds(seconds * 1_000)}  in all; ${cpuSeconds.toFixed(0)} CPU-seconds\n`;
