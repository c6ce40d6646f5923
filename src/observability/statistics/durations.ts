/** How long something took, over all times it happened. Milliseconds. */
export interface Durations {
  readonly count: number;
  readonly total: number;
  readonly median: number | null;
  readonly p95: number | null;
}

export const durationsOf = (values: readonly number[]): Durations => {
  const ordered = [...values].sort((a, b) => a - b);
  const at = (part: number): number | null =>
    ordered[Math.min(ordered.length - 1, Math.ceil(part * ordered.length) - 1)] ?? null;
  return {
    count: values.length,
    total: values.reduce((sum, value) => sum + value, 0),
    median: at(0.5),
    p95: at(0.95),
  };
};
