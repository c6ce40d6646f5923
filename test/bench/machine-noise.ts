import { cpus } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { percentile, sample } from './measure.ts';

/** How much the machine itself sways: the same work, always alike, timed again and again. */
export interface Noise {
  readonly cores: number;
  /** The share of the cores that other programs had in the two seconds before, from 0 to 1. A load average still counts what has ended. */
  readonly busy: number;
  /** Milliseconds of the fixed work: median and 95th percentile. A quiet machine has them within a few percent. */
  readonly p50: number;
  readonly p95: number;
}

export const machineNoise = async (): Promise<Noise> => {
  const before = coreTimes();
  await setTimeout(2_000);
  const after = coreTimes();
  const samples = sample(60, fixedWork);
  return {
    cores: cpus().length,
    busy: 1 - (after.idle - before.idle) / (after.all - before.all),
    p50: percentile(samples, 0.5),
    p95: percentile(samples, 0.95),
  };
};

const coreTimes = (): { readonly idle: number; readonly all: number } => {
  const times = cpus().map((core) => core.times);
  const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap((each) => Object.values(each))) };
};

export const formatNoise = ({ cores, busy, p50, p95 }: Noise): string =>
  `${cores} cores, ${Math.round(100 * busy)} % busy with other programs; fixed work takes ${p50.toFixed(1)} ms, at the 95th percentile ${Math.round((p95 / p50 - 1) * 100)} % more`;

let sink = 0;

const fixedWork = (): void => {
  for (let round = 0; round < 2_000_000; round += 1) sink = (sink * 31 + round) | 0;
};
