import { type Counter, type Rate, rateOf } from './counter.ts';

export interface SessionCounts {
  readonly total: number;
  /** By the status of the last stop; `unfinished` without one. */
  readonly outcomes: readonly { readonly status: string; readonly share: Rate }[];
  /** Why sessions were aborted or stopped by a limit, the most frequent first. */
  readonly stops: readonly { readonly cause: string; readonly count: number }[];
  /** Lessons that were kept of those that agents wrote. */
  readonly knowledgeKept: Rate;
}

export const createSessionCount = (): Counter<SessionCounts> => {
  const outcomes = new Map<string, number>();
  const stops = new Map<string, number>();
  const staged = new Set<string>();
  const kept = new Set<string>();
  let total = 0;
  let status: string | null = null;
  const close = (): void => {
    if (status !== null) add(outcomes, status);
  };
  const lesson = (file: string): string => `${total} ${file}`;
  return {
    begin: () => {
      close();
      status = 'unfinished';
      total += 1;
    },
    take: (event) => {
      if (event.type === 'session.started') status = 'unfinished';
      if (event.type === 'session.stopped') status = event.status;
      if (event.type === 'abort.requested') add(stops, `ABORT by ${event.by}`);
      if (event.type === 'limit.reached') add(stops, `limit ${event.limit}`);
      if (event.type === 'knowledge.staged') for (const file of event.files) staged.add(lesson(file));
      if (event.type === 'knowledge.promoted') for (const file of event.files) kept.add(lesson(file));
    },
    result: () => {
      const counts = new Map(outcomes);
      if (status !== null) add(counts, status);
      return {
        total,
        outcomes: sorted(counts).map(([name, count]) => ({ status: name, share: rateOf(count, total) })),
        stops: sorted(stops).map(([cause, count]) => ({ cause, count })),
        knowledgeKept: rateOf(kept.size, new Set([...staged, ...kept]).size),
      };
    },
  };
};

const add = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

/** The most frequent first. */
export const sorted = (counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] =>
  [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
