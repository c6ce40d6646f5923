/** The normal distribution, as far as times need it. */

/** The share of a standard normal distribution below `z` (Zelen and Severo, 26.2.17; wrong by 1e-7 at most). */
export const shareBelow = (z: number): number => {
  if (z === Number.NEGATIVE_INFINITY) return 0;
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const sum =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const above = densityAt(z) * sum;
  return z < 0 ? above : 1 - above;
};

export const densityAt = (z: number): number => Math.exp(-z * z * 0.5) / Math.sqrt(2 * Math.PI);

/** The value below which `share` of a standard normal distribution lies (Acklam; wrong by 1e-8 at most). */
export const quantile = (share: number): number => {
  const p = Math.min(1 - 1e-9, Math.max(1e-9, share));
  if (p < edge) return inTail(Math.sqrt(-2 * Math.log(p)));
  if (p > 1 - edge) return -inTail(Math.sqrt(-2 * Math.log(1 - p)));
  const q = p - 0.5;
  return (q * polynomial(q * q, middle)) / polynomial(q * q, below);
};

/** The value below which `share` of a chi-square distribution lies (Wilson and Hilferty). */
export const chiSquareQuantile = (share: number, freedom: number): number => {
  const part = 2 / (9 * freedom);
  return freedom * Math.max(0.01, 1 - part + quantile(share) * Math.sqrt(part)) ** 3;
};

const edge = 0.02425;

const inTail = (q: number): number => polynomial(q, tail) / polynomial(q, tailBelow);

/** Coefficients of the highest power first. */
const polynomial = (x: number, coefficients: readonly number[]): number => {
  let sum = 0;
  for (const each of coefficients) sum = sum * x + each;
  return sum;
};

const middle = [
  -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2, -3.066479806614716e1,
  2.506628277459239,
];
const below = [
  -5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1, -1.328068155288572e1,
  1,
];
const tail = [
  -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
];
const tailBelow = [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1];
