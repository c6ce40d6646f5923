import type { Reporter, TestModule } from 'vitest/node';

const shown = 5;

/** Prints the files that took longest and how long all of them took together, so that a suite that grows slow is seen at once. */
export const slowestFiles = (write: (text: string) => void): Reporter => ({
  onTestRunEnd: (modules) => {
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
