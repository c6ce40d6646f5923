import { findSetting } from '../../session/settings/index.ts';
import { formatDuration } from '../../tasks/duration.ts';

/** A setting as written in a configuration file: `5m`, `none`, `[0s, 30s]`. */
export const formatSetting = (key: string, value: unknown): string => {
  if (value === null) return 'none';
  if (findSetting(key)?.unit === 'ms') {
    const parts = [value].flat().map((ms) => (typeof ms === 'number' ? formatDuration(ms) : String(ms)));
    return Array.isArray(value) ? `[${parts.join(', ')}]` : parts.join('');
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
};
