import type { DebugRecord } from './debug-record.ts';
import { signatureOf } from './signature.ts';

/** One error over all logs. */
export interface CollatedError {
  /** 8 hexadecimal digits of its signature. */
  readonly key: string;
  readonly label: 'debug-auto';
  readonly signature: string;
  readonly count: number;
  readonly first_seen: string;
  readonly last_seen: string;
  /** The newest message, whole. */
  readonly sample: string;
  /** How often each log has it. */
  readonly sessions: { readonly [log: string]: number };
}

/** A record with the log that it is in. */
export interface LoggedRecord {
  readonly log: string;
  readonly record: DebugRecord;
}

/** Groups the failed records by signature, the most frequent first. */
export const collate = (
  records: Iterable<LoggedRecord>,
  hash: (text: string) => string,
): readonly CollatedError[] => {
  const errors = new Map<string, CollatedError>();
  for (const { log, record } of records) {
    if (record.ok) continue;
    const signature = signatureOf(record);
    const known = errors.get(signature);
    errors.set(signature, {
      key: known?.key ?? hash(signature).slice(0, 8),
      label: 'debug-auto',
      signature,
      count: (known?.count ?? 0) + 1,
      first_seen: known !== undefined && known.first_seen < record.ts ? known.first_seen : record.ts,
      last_seen: known !== undefined && known.last_seen > record.ts ? known.last_seen : record.ts,
      sample: known !== undefined && known.last_seen > record.ts ? known.sample : (record.error ?? ''),
      sessions: { ...known?.sessions, [log]: (known?.sessions[log] ?? 0) + 1 },
    });
  }
  return [...errors.values()].sort(byCount);
};

const byCount = (a: CollatedError, b: CollatedError): number => b.count - a.count || (a.key < b.key ? -1 : 1);

/** Known errors with the found ones. A log that was read again counts as it is now, so the same logs add nothing. */
export const mergeErrors = (
  known: readonly CollatedError[],
  found: readonly CollatedError[],
): readonly CollatedError[] => {
  const merged = new Map(known.map((error) => [error.key, error]));
  for (const error of found) {
    const before = merged.get(error.key);
    const sessions = { ...before?.sessions, ...error.sessions };
    merged.set(error.key, {
      ...error,
      sessions,
      count: Object.values(sessions).reduce((sum, count) => sum + count, 0),
      first_seen:
        before !== undefined && before.first_seen < error.first_seen ? before.first_seen : error.first_seen,
      last_seen:
        before !== undefined && before.last_seen > error.last_seen ? before.last_seen : error.last_seen,
      sample: before !== undefined && before.last_seen > error.last_seen ? before.sample : error.sample,
    });
  }
  return [...merged.values()].sort(byCount);
};
