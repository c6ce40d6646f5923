/** A bucket of requests that fills again with time. */
interface Bucket {
  readonly left: number;
  /** Milliseconds of the monotonic clock. */
  readonly at: number;
}

interface Rate {
  readonly most: number;
  readonly perSecond: number;
}

/** Of one device: what it reads, and what it changes. `pair`: of all who try a code together. */
const rates = {
  read: { most: 60, perSecond: 6 },
  change: { most: 20, perSecond: 1 },
  pair: { most: 10, perSecond: 0.2 },
} as const satisfies Readonly<Record<string, Rate>>;

/** Takes one from the bucket; `null`: it is empty. */
const takeFrom = ({ most, perSecond }: Rate, bucket: Bucket | undefined, now: number): Bucket | null => {
  const left =
    bucket === undefined ? most : Math.min(most, bucket.left + ((now - bucket.at) / 1_000) * perSecond);
  return left < 1 ? null : { left: left - 1, at: now };
};

/** The buckets by name. */
export type Buckets = Map<string, Bucket>;

/** Whether one more request under this name is within the rate. */
export const isWithin = (buckets: Buckets, name: string, rate: keyof typeof rates, now: number): boolean => {
  const key = `${rate} ${name}`;
  const next = takeFrom(rates[rate], buckets.get(key), now);
  if (next === null) return false;
  buckets.set(key, next);
  return true;
};
