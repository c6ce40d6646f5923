import { safe } from '../../base/safe.ts';
import type { CallStats } from '../../observability/debug/debug-stats.ts';
import { count } from '../../words/local-time.ts';
import type { Collated } from './debug-report.ts';
import { formatTable } from './table.ts';

/** Cells of a message in the list. */
const longestMessage = 90;

export const formatErrors = ({ all, added, grown, logs }: Collated): string => {
  const head = `${count(logs, 'log')}, ${count(all.length, 'error')}: ${added.length} new, ${grown.length} seen again`;
  if (all.length === 0) return head;
  const rows = all.map((error) => {
    const text = safe(error.signature);
    return [
      error.key,
      `${error.count}×`,
      added.includes(error.key) ? 'new' : grown.includes(error.key) ? 'again' : '',
      text.length > longestMessage ? `${text.slice(0, longestMessage - 1)}…` : text,
    ];
  });
  return `${head}\n\n${formatTable(rows)}`;
};

export const formatCalls = (calls: readonly CallStats[]): string =>
  calls.length === 0
    ? 'no calls in the logs'
    : formatTable([
        ['', 'calls', 'errors', 'p50', 'p95'],
        ...calls.map(({ name, calls: all, errors, duration }) => [
          safe(name),
          String(all),
          `${errors.count} of ${errors.of}, ${Math.round((errors.rate ?? 0) * 100)}%`,
          milliseconds(duration.median),
          milliseconds(duration.p95),
        ]),
      ]);

const milliseconds = (ms: number | null): string => (ms === null ? '–' : `${Math.round(ms)} ms`);
