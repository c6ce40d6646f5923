import { formatDuration } from '../tasks/duration.ts';

const durations: ReadonlySet<string> = new Set([
  'retries.backoff',
  'timeouts.stall',
  'timeouts.abort_grace',
  'knowledge.approval_timeout',
  'limits.max_duration',
  'signals.poll_interval',
]);

/** A setting as one would write it into a configuration file: `5m`, `none`, `[0s, 30s]`. */
export const formatSetting = (key: string, value: unknown): string => {
  if (value === null) return 'none';
  if (durations.has(key)) {
    const parts = [value].flat().map((ms) => (typeof ms === 'number' ? formatDuration(ms) : String(ms)));
    return Array.isArray(value) ? `[${parts.join(', ')}]` : parts.join('');
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
};
