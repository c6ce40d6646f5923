import { z } from 'zod';

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `60s`, `5m`, `24h`, `1h30m`, `250ms`, `2d` or a plain number of milliseconds; `null` for anything else. */
export const parseDuration = (value: unknown): number | null => {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? Math.round(value) : null;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text);
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd])\s*)+$/.test(text) || text.length > 32) return null;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g))
    total += Number(amount) * (units[unit ?? ''] ?? 0);
  return Math.round(total);
};

/** The shortest form that parses back to the same number: `90s`, `5m`, `24h`, `250ms`. */
export const formatDuration = (ms: number): string => {
  for (const unit of ['h', 'm', 's']) {
    const size = units[unit] ?? 1;
    if (ms >= size && ms % size === 0) return `${ms / size}${unit}`;
  }
  return ms === 0 ? '0s' : `${ms}ms`;
};

const message = 'must be a duration such as 60s, 5m or 24h';

/** A duration in a file. Parses to milliseconds. */
export const durationSchema = z
  .union([z.string(), z.number()], { error: message })
  .transform((value, context): number => {
    const ms = parseDuration(value);
    if (ms !== null) return ms;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
