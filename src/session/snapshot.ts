import { join } from 'node:path';
import type { Disk } from '../base/disk.ts';
import type { Fault, Parsed } from '../base/fault.ts';
import { type Progress, parseProgress } from '../tasks/progress-file.ts';
import { splitSections } from '../tasks/sections.ts';
import type { TaskDefinition, TaskId, TaskStatus } from '../tasks/task.ts';
import { parseTask } from '../tasks/task-file.ts';
import { type IterationMetadata, parseIteration } from './iteration-file.ts';
import { detectLayout, type FoundLayout } from './layout.ts';
import { createLenientReader, type LenientReader } from './lenient-reader.ts';
import { parseMetadata, type ReadMetadata } from './metadata-file.ts';
import { sessionPaths } from './paths.ts';
import { findReports, type ReportFile } from './report-files.ts';
import { planItemSchema, type SessionStatus, type StateName } from './status.ts';
import { parseTasksV1 } from './tasks-v1.ts';

/** The readable content of a session directory, from any writer and in any layout. Unknown values are `null` or missing. */
export interface SessionSnapshot {
  readonly session: string;
  readonly workspace: string;
  readonly directory: string;
  readonly layout: FoundLayout;
  readonly goal: string | null;
  readonly state: StateName | null;
  readonly status: SessionStatus | null;
  readonly iteration: number;
  readonly metadata: ReadMetadata | null;
  readonly iterations: readonly IterationMetadata[];
  /** The tasks of the current iteration, in the order of the task files. Tasks found only in `progress.md` are last. */
  readonly tasks: readonly SnapshotTask[];
  /** `plan-…` items, including those of the knowledge section. */
  readonly planItems: ReadonlyMap<string, TaskStatus>;
  readonly progress: Progress | null;
  /** Existing directories of the mailbox: `inputs`, `processed`, `acks`, … */
  readonly signals: readonly string[];
}

export interface SnapshotTask {
  readonly id: TaskId;
  /** `null` when there is no task file. */
  readonly definition: TaskDefinition | null;
  readonly status: TaskStatus;
  readonly attempt: number | null;
  /** The iteration in which the task earned its status. */
  readonly iteration: number | null;
  readonly owner: string | null;
  readonly notes: readonly string[];
  /** Oldest attempt first. */
  readonly reports: readonly ReportFile[];
}

/**
 * Reads a session for display. Never throws for its content: unreadable and odd files are problems, the rest is shown. `session` must
 * match `sessionIdPattern`.
 */
export const readSession = (disk: Disk, workspace: string, session: string): Parsed<SessionSnapshot> => {
  const paths = sessionPaths(workspace, session);
  const problems: Fault[] = [];
  const reader = createLenientReader(disk, problems);
  const layout = detectLayout(disk, paths.directory);
  const metadataText = reader.text(paths.metadata);
  const metadata = metadataText === null ? null : keep(parseMetadata(metadataText, paths.metadata), problems);
  const numbers = reader
    .names(join(paths.directory, 'iterations'))
    .filter((name) => /^[1-9]\d{0,5}$/.test(name));
  const iteration = metadata?.iteration || Math.max(1, ...numbers.map(Number));
  const places = [
    paths.iteration(iteration).directory,
    paths.directory,
    join(workspace, 'iterations', String(iteration)),
  ];
  const progress = readProgress(reader, places, workspace, problems);
  const definitions = readDefinitions(reader, places, iteration, problems);
  const tasks = joinTasks(definitions, progress, findReports(reader, places));
  const planItems = new Map(
    [...(progress?.items ?? [])].filter(([id]) => isPlanItem(id)).map(([id, it]) => [id, it.status]),
  );
  const state = metadata?.state ?? inferState(progress, tasks, planItems);
  return {
    value: {
      session,
      workspace,
      directory: paths.directory,
      layout,
      goal: readGoal(reader, places),
      state,
      status:
        metadata?.status ?? (state === null ? null : state === 'COMPLETE' ? 'completed' : 'in_progress'),
      iteration,
      metadata,
      iterations: readIterations(reader, paths.directory, numbers, problems),
      tasks,
      planItems,
      progress,
      signals: reader.names(paths.signals).sort(),
    },
    problems,
  };
};

const keep = <T>({ value, problems: found }: Parsed<T>, problems: Fault[]): T => {
  problems.push(...found);
  return value;
};

const isPlanItem = (id: string): boolean => planItemSchema.safeParse(id).success || /^(?:plan|qa)-/.test(id);

const readProgress = (
  reader: LenientReader,
  places: readonly string[],
  workspace: string,
  problems: Fault[],
): Progress | null => {
  for (const place of places) {
    const file = join(place, 'progress.md');
    const text = reader.text(file);
    if (text === null) continue;
    if (place.startsWith(join(workspace, 'iterations'))) {
      problems.push({ code: 'misplaced', what: 'is outside the session directory', where: file });
    }
    return keep(parseProgress(text, file), problems);
  }
  return null;
};

/** Task files of the iteration, of the session (2.0 and 2.1), or the one `tasks.md` of v1. */
const readDefinitions = (
  reader: LenientReader,
  places: readonly string[],
  iteration: number,
  problems: Fault[],
): readonly TaskDefinition[] => {
  for (const place of places) {
    const names = reader
      .names(join(place, 'tasks'))
      .filter((name) => name.endsWith('.md') && !name.startsWith('.'));
    if (names.length === 0) continue;
    return names.sort(inNumericOrder()).flatMap((name) => {
      const text = reader.text(join(place, 'tasks', name));
      return text === null ? [] : [keep(parseTask(text, name.slice(0, -3), iteration), problems).definition];
    });
  }
  const v1 = places.map((place) => reader.text(join(place, 'tasks.md'))).find((text) => text !== null);
  return v1 === undefined || v1 === null ? [] : parseTasksV1(v1);
};

/** `task-2` before `task-10`. Created only for a foreign session: loading the collation tables takes milliseconds. */
const inNumericOrder = (): ((a: string, b: string) => number) =>
  new Intl.Collator('en', { numeric: true }).compare;

const joinTasks = (
  definitions: readonly TaskDefinition[],
  progress: Progress | null,
  reports: ReadonlyMap<TaskId, readonly ReportFile[]>,
): readonly SnapshotTask[] => {
  const byId = new Map(definitions.map((definition) => [definition.id, definition]));
  // A word that could be prose ("- [x] Criterion met") is a task only with further evidence.
  const onlyListed = [...(progress?.items.values() ?? [])].filter(
    (item) =>
      !byId.has(item.id) && !isPlanItem(item.id) && (/[\d_.-]/.test(item.id) || item.attempt !== undefined),
  );
  return [...byId.keys(), ...onlyListed.map((item) => item.id)].map((id) => {
    const item = progress?.items.get(id);
    const own = reports.get(id) ?? [];
    return {
      id,
      definition: byId.get(id) ?? null,
      status: item?.status ?? 'open',
      attempt: item?.attempt ?? own.at(-1)?.attempt ?? null,
      iteration: item?.iteration ?? item?.sectionIteration ?? null,
      owner: item?.owner ?? null,
      notes: item?.notes ?? [],
      reports: own,
    };
  });
};

const readIterations = (
  reader: LenientReader,
  directory: string,
  names: readonly string[],
  problems: Fault[],
): readonly IterationMetadata[] =>
  [...names].sort(inNumericOrder()).flatMap((name) => {
    const file = join(directory, 'iterations', name, 'metadata.yaml');
    const text = reader.text(file);
    return text === null ? [] : [keep(parseIteration(text, Number(name), file), problems)];
  });

/** The first lines of the plan's goal, else its title. */
const readGoal = (reader: LenientReader, places: readonly string[]): string | null => {
  for (const place of places) {
    const text = reader.text(join(place, 'plan.md'));
    if (text === null) continue;
    const goal = splitSections(text, 2).sections.find(({ title }) => /^(goal|objective)/i.test(title));
    const first =
      (goal?.body ?? '')
        .trim()
        .split(/\r?\n\s*\r?\n/)[0]
        ?.trim() ?? '';
    if (first !== '') return first;
    const title = /^#[ \t]+(?:Plan[ \t]*[:—-]?[ \t]*)?(.*)$/m.exec(text)?.[1]?.trim() ?? '';
    if (title !== '') return title;
  }
  return null;
};

/** The inference of the v1 orchestrator without `metadata.yaml`. */
const inferState = (
  progress: Progress | null,
  tasks: readonly SnapshotTask[],
  planItems: ReadonlyMap<string, TaskStatus>,
): StateName | null => {
  if (progress === null) return null;
  const is = (status: TaskStatus): boolean => tasks.some((task) => task.status === status);
  if (is('review')) return 'REVIEWING_BATCH';
  if (is('running')) return 'EXECUTING_BATCH';
  if ([...planItems.values()].some((status) => status === 'open' || status === 'running')) return 'PLANNING';
  return is('open') || tasks.length === 0 ? 'BATCHING' : 'COMPLETE';
};
