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

/** A bench that takes minutes gives each row as soon as it was measured. */
export type Bench = () => Promise<readonly Row[]> | AsyncGenerator<Row>;

export async function* rowsOfBench(name: string, bench: Bench): AsyncGenerator<Row> {
  const rows = bench();
  if (Symbol.asyncIterator in rows) yield* rows;
  else yield* await rowsOf(name, () => rows);
}

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

/** Target and verdict of a value beside its base: work of the same kind in the same run, so that a slow or busy machine decides nothing. */
export const atMost = (times: number, value: number, base: number): Pick<Row, 'target' | 'ok'> => ({
  target: `≤ ${times}×`,
  ok: value <= times * base,
});

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

/** What two works took. */
export interface Turns {
  readonly ours: readonly number[];
  readonly base: readonly number[];
}

/** Milliseconds of two works by turns: a machine that others use is fast in one second and slow in the next. */
export const sampleTurns = (
  times: number,
  ours: () => void,
  base: () => void,
  warm = Math.ceil(times / 5),
): Turns => {
  for (let run = 0; run < warm; run += 1) {
    ours();
    base();
  }
  const turns = Array.from({ length: times }, () => ({ ours: sample(1, ours, 0), base: sample(1, base, 0) }));
  return { ours: turns.flatMap((turn) => turn.ours), base: turns.flatMap((turn) => turn.base) };
};

/** The same for works that take their time. */
export const sampleTurnsAsync = async (
  times: number,
  ours: () => Promise<unknown>,
  base: () => Promise<unknown>,
): Promise<Turns> => {
  await ours();
  await base();
  const turns: { readonly ours: number[]; readonly base: number[] } = { ours: [], base: [] };
  for (let run = 0; run < times; run += 1) {
    turns.ours.push(await timeOf(ours));
    turns.base.push(await timeOf(base));
  }
  return turns;
};

/** The row of two works that were timed by turns. */
export const turnsRow = (name: string, baseName: string, times: number, { ours, base }: Turns): Row => ({
  name,
  value: median(ours),
  unit: 'ms',
  base: { name: baseName, value: median(base) },
  ...atMost(times, median(ours), median(base)),
  spread: spreadOf(ours),
});

export const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

/** Milliseconds of each of `times` runs of work that takes its time, after one that is not counted. */
export const sampleAsync = async (
  times: number,
  work: () => Promise<unknown>,
): Promise<readonly number[]> => {
  await work();
  const samples: number[] = [];
  for (let run = 0; run < times; run += 1) samples.push(await timeOf(work));
  return samples;
};
