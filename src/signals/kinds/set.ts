import { settingsSchema } from '../../session/settings.ts';
import { parseDuration } from '../../tasks/duration.ts';
import type { SignalKind } from '../mailbox.ts';

/** Ours (signals.md, Types): changes what may change while the session runs. */
export const set: SignalKind = {
  type: 'SET',
  category: 'session',
  description: 'Change a setting of the running session, such as the number of parallel executors.',
  check: (signal) => {
    const entries = Object.entries(signal.set ?? {});
    if (entries.length === 0) return 'SET needs `set` with at least one setting';
    for (const [key, value] of entries) {
      const problem = settingProblem(key, value);
      if (problem !== null) return problem;
    }
    return null;
  },
  reaction: 'set',
};

const { concurrency, knowledge, timeouts, limits } = settingsSchema.shape;

/** The configuration keys that may change while a session runs, each with what its value must be. Durations are milliseconds here. */
export const liveSettings = [
  { key: 'concurrency.max_parallel_executors', value: concurrency.shape.max_parallel_executors, unit: '' },
  { key: 'concurrency.max_parallel_reviewers', value: concurrency.shape.max_parallel_reviewers, unit: '' },
  { key: 'knowledge.approval_timeout', value: knowledge.shape.approval_timeout, unit: 'ms' },
  { key: 'timeouts.task_wip_minutes', value: timeouts.shape.task_wip_minutes, unit: 'min' },
  { key: 'timeouts.stall', value: timeouts.shape.stall, unit: 'ms' },
  { key: 'limits.max_duration', value: limits.shape.max_duration, unit: 'ms' },
  { key: 'limits.max_cost', value: limits.shape.max_cost, unit: '' },
  { key: 'limits.max_attempts_total', value: limits.shape.max_attempts_total, unit: '' },
] as const;

/** What is wrong with one entry of `set`, or null. */
const settingProblem = (key: string, value: unknown): string | null => {
  const setting = liveSettings.find((candidate) => candidate.key === key);
  if (setting === undefined)
    return `SET cannot change "${key}" while the session runs; it can change ${liveSettings.map((each) => each.key).join(', ')}`;
  const issue = setting.value.safeParse(value).error?.issues[0];
  return issue ? `SET ${key}: ${issue.message}` : null;
};

/** A value as people write it in a signal: `30s` for a duration, `none` for no limit, a quoted number; what it is not stays as it is. */
export const readSetting = (key: string, value: unknown): unknown => {
  const setting = liveSettings.find((candidate) => candidate.key === key);
  if (setting === undefined || typeof value !== 'string') return value;
  const text = value.trim();
  if (text === 'none') return null;
  if (setting.unit === 'ms') return parseDuration(text) ?? value;
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : value;
};
