import { cpus, loadavg } from 'node:os';
import { percentile, sample } from './measure.ts';

/** How much the machine itself sways: the same work, always alike, timed again and again. */
export interface Noise {
  readonly cores: number;
  readonly load: number;
  /** Milliseconds of the fixed work: median and 95th percentile. A quiet machine has them within a few percent. */
  readonly p50: number;
  readonly p95: number;
}

export const machineNoise = (): Noise => {
  const samples = sample(60, fixedWork);
  return {
    cores: cpus().length,
    load: loadavg()[0] ?? 0,
    p50: percentile(samples, 0.5),
    p95: percentile(samples, 0.95),
  };
};

export const formatNoise = ({ cores, load, p50, p95 }: Noise): string =>
  `${cores} cores, load ${load.toFixed(1)}; fixed work takes ${p50.toFixed(1)} ms, at the 95th percentile ${Math.round((p95 / p50 - 1) * 100)} % more`;

let sink = 0;

const fixedWork = (): void => {
  for (let round = 0; round < 2_000_000; round += 1) sink = (sink * 31 + round) | 0;
};
