import type { Settings } from '../settings.ts';

/** Names of the limits that are higher, or gone, after a change: `limits.max_cost`. */
export const raisedLimits = ({ limits: before }: Settings, { limits: after }: Settings): readonly string[] =>
  (['max_duration', 'max_cost', 'max_tokens', 'max_attempts_total'] as const)
    .filter((name) => (after[name] ?? Number.POSITIVE_INFINITY) > (before[name] ?? Number.POSITIVE_INFINITY))
    .map((name) => `limits.${name}`);
