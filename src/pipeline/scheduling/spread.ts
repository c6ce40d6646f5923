import { chiSquareQuantile, densityAt, quantile, shareBelow } from './normal.ts';

/**
 * The belief about the times of works of one kind, each beside its expected time: their logarithms are normal. The times that ended tell mean and variance (a
 * normal-inverse-gamma distribution). A few tell little: draws are as spread as that.
 */
export interface Spread {
  readonly mean: number;
  /** So many times tell the mean. */
  readonly tells: number;
  /** So many times tell the variance. */
  readonly freedom: number;
  /** The sum of the squares of their distances from the mean. */
  readonly squares: number;
}

/** The belief before any ended: as after `tells` times of about `expected`, and `freedom` times that differ by the factor `e^deviation`. */
export const before = (expected: number, tells: number, deviation: number, freedom: number): Spread => ({
  mean: Math.log(expected),
  tells,
  freedom,
  squares: freedom * deviation * deviation,
});

/**
 * Adds times that ended, and those that have run for so long by now: a long one says that works take long, one that has begun says nothing. Without these the
 * short ones, which end first, would say that all are short.
 */
export const told = (from: Spread, ended: readonly number[], running: readonly number[]): Spread => {
  const logs = ended.flatMap((ms) => (ms > 0 ? [{ at: Math.log(ms), variance: 0, weight: 1 }] : []));
  let spread = withAll(from, logs);
  if (running.length === 0 || !Number.isFinite(spread.mean)) return spread;
  for (let round = 0; round < 6; round += 1) {
    const { mean } = spread;
    const deviation = deviationOf(spread);
    const expected = running.map((ms) => {
      const from = (Math.log(ms) - mean) / deviation;
      const weight = shareBelow(from);
      if (weight < 0.01) return { at: mean, variance: 0, weight: 0 };
      // Mean and variance of what lies above `from`.
      const hazard = from > 5 ? from + 1 / from : densityAt(from) / (1 - weight);
      const variance = Math.max(0, deviation * deviation * (1 + from * hazard - hazard * hazard));
      return { at: mean + deviation * hazard, variance, weight };
    });
    spread = withAll(from, [...logs, ...expected]);
  }
  return spread;
};

interface Told {
  readonly at: number;
  readonly variance: number;
  readonly weight: number;
}

const withAll = (from: Spread, all: readonly Told[]): Spread => {
  const weight = all.reduce((sum, each) => sum + each.weight, 0);
  if (weight === 0) return from;
  const mean = all.reduce((sum, each) => sum + each.weight * each.at, 0) / weight;
  const around = all.reduce((sum, each) => sum + each.weight * ((each.at - mean) ** 2 + each.variance), 0);
  const tells = from.tells + weight;
  // A mean of which nothing is known (`tells` of 0) counts for nothing.
  const apart = from.tells === 0 ? 0 : from.mean - mean;
  return {
    mean: mean + (apart * from.tells) / tells,
    tells,
    freedom: from.freedom + weight,
    squares: from.squares + around + ((from.tells * weight) / tells) * apart * apart,
  };
};

const deviationOf = ({ squares, freedom }: Spread): number => Math.sqrt(squares / freedom);

/** One of the possible distributions; `mean` and `deviation`: shares from 0 to 1 that choose it. */
export interface Lognormal {
  readonly mean: number;
  readonly deviation: number;
}

/** The most probable one. */
export const usualOf = (spread: Spread): Lognormal => ({ mean: spread.mean, deviation: deviationOf(spread) });

export const drawnOf = (spread: Spread, shares: Lognormal): Lognormal => {
  const deviation = Math.sqrt(spread.squares / chiSquareQuantile(shares.deviation, spread.freedom));
  const apart = spread.tells === 0 ? 0 : (deviation / Math.sqrt(spread.tells)) * quantile(shares.mean);
  return { mean: spread.mean + apart, deviation };
};

/** The time that is as long as `share` of those that are longer than `passed`. */
export const timeAt = ({ mean, deviation }: Lognormal, share: number, passed: number): number => {
  const over = passed > 0 ? shareBelow((Math.log(passed) - mean) / deviation) : 0;
  return Math.max(passed, Math.exp(mean + deviation * quantile(over + share * (1 - over))));
};
