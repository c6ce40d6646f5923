import { join } from 'node:path';
import type { TaskId } from '../tasks/task.ts';
import type { LenientReader } from './lenient-reader.ts';

/** A report file in a session. */
export interface ReportFile {
  readonly attempt: number;
  /** Absolute. */
  readonly file: string;
}

/**
 * Reports by task, oldest attempt first: `reports/<task>-report[-r<A>].md`, the same name directly in the iteration's directory (real agents did
 * that), and `tasks.<task>-report[-r<A>].md` of v1.
 */
export const findReports = (
  reader: LenientReader,
  places: readonly string[],
): ReadonlyMap<TaskId, readonly ReportFile[]> => {
  const found = new Map<TaskId, Map<number, ReportFile>>();
  for (const directory of places.flatMap((place) => [join(place, 'reports'), place])) {
    for (const name of reader.names(directory)) {
      const match = /^(?:tasks\.)?([A-Za-z][\w.-]*?)-report(?:-r(\d{1,4}))?\.md$/.exec(name);
      if (!match) continue;
      const attempt = Number(match[2] ?? 1);
      const reports = found.get(match[1] ?? '') ?? new Map<number, ReportFile>();
      // The proper directory comes first and wins.
      if (!reports.has(attempt)) reports.set(attempt, { attempt, file: join(directory, name) });
      found.set(match[1] ?? '', reports);
    }
  }
  return new Map(
    [...found].map(([task, reports]) => [task, [...reports.values()].sort((a, b) => a.attempt - b.attempt)]),
  );
};
