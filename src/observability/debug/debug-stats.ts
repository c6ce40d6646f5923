import { type Rate, rateOf } from '../statistics/counter.ts';
import { type Durations, durationsOf } from '../statistics/durations.ts';
import type { LoggedRecord } from './collate.ts';

/** What `debug stats` groups by. */
export const statsGroups = ['tool', 'category', 'day', 'agent'] as const;
export type StatsGroup = (typeof statsGroups)[number];

/** The calls of one group. */
export interface CallStats {
  readonly name: string;
  readonly calls: number;
  /** Failed calls of all. Everywhere a part of 1. */
  readonly errors: Rate;
  /** Milliseconds, of the calls whose duration is known. */
  readonly duration: Durations;
}

/** Calls by group, the most frequent first. `dayOf`: the local day of a time. */
export const debugStats = (
  records: Iterable<LoggedRecord>,
  by: StatsGroup,
  dayOf: (ms: number) => string,
): readonly CallStats[] => {
  const groups = Map.groupBy(records, ({ record }): string | null => {
    if (by === 'category') return record.type;
    if (by === 'day') return dayOf(Date.parse(record.ts));
    if (by === 'agent') return record.type === 'agent' ? record.name : null;
    return `${record.type} ${record.name}`;
  });
  return [...groups]
    .flatMap(([name, all]): readonly CallStats[] =>
      name === null
        ? []
        : [
            {
              name,
              calls: all.length,
              errors: rateOf(all.filter(({ record }) => !record.ok).length, all.length),
              duration: durationsOf(all.flatMap(({ record }) => record.duration_ms ?? [])),
            },
          ],
    )
    .sort((a, b) =>
      by === 'day' ? (a.name < b.name ? -1 : 1) : b.calls - a.calls || (a.name < b.name ? -1 : 1),
    );
};
