/** One line of the table: what was measured, against what, and what is wanted (test/README.md). */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 'µs' | 'events/s' | '%' | 'MB' | 'bytes' | 'kB/s';
  /** The physical base measured in the same run, in the same unit. */
  readonly base: { readonly name: string; readonly value: number } | null;
  readonly target: string;
  readonly ok: boolean;
  /** How far the several runs lay apart whose median `value` is, in the same unit. */
  readonly spread?: Spread;
  /** Why nothing was measured, in one line; `value` is NaN then. */
  readonly reason?: string;
}

export interface Spread {
  readonly runs: number;
  readonly least: number;
  readonly most: number;
}

export const spreadOf = (runs: readonly number[]): Spread => ({
  runs: runs.length,
  least: Math.min(...runs),
  most: Math.max(...runs),
});

/** The rows of `work`; when it fails one row that says so, and the bench goes on with what comes next. */
export const rowsOf = async (name: string, work: () => Promise<readonly Row[]>): Promise<readonly Row[]> => {
  try {
    return await work();
  } catch (error) {
    const [said = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    const reason = said.replace(/:$/, '');
    return [{ name, value: Number.NaN, unit: 'ms', base: null, target: 'measured', ok: false, reason }];
  }
};

/** A limit on a machine where `base` takes no longer than usual; a slower one has as many times more. */
export const scaled = (limit: number, base: number, usual: number): number =>
  limit * Math.max(1, base / usual);

/** Milliseconds of a bare node on the machine for which the limits were set (two cores, idle). */
export const usualNode = 40;

/** The value below which `share` of the samples lie. */
export const percentile = (samples: readonly number[], share: number): number => {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

export const median = (samples: readonly number[]): number => percentile(samples, 0.5);

/** Milliseconds of each of `times` runs, after `warm` runs that are not counted. */
export const sample = (times: number, work: () => void, warm = Math.ceil(times / 5)): readonly number[] => {
  for (let run = 0; run < warm; run += 1) work();
  return Array.from({ length: times }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
};

/** The same for work that takes its time. */
export const sampleAsync = async (
  times: number,
  work: () => Promise<unknown>,
): Promise<readonly number[]> => {
  await work();
  const samples: number[] = [];
  for (let run = 0; run < times; run += 1) {
    const start = performance.now();
    await work();
    samples.push(performance.now() - start);
  }
  return samples;
};
