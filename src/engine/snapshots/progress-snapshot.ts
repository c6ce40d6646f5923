import type { Clock } from '../../base/clock.ts';
import { type Disk, diskCode } from '../../base/disk.ts';
import { readText } from '../../base/replace-file.ts';
import type { EventBody } from '../../pipeline/event.ts';
import type { SessionState } from '../../pipeline/state.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { type PlanItem, planItemSchema } from '../../session/status.ts';
import { editProgress, formatProgress, type IterationRow, parseProgress } from '../../tasks/progress-file.ts';
import type { TaskStatus } from '../../tasks/task.ts';
import { createProgressModel } from './progress-model.ts';
import type { Edits, SnapshotFile } from './snapshot-file.ts';

/** `iterations/<N>/progress.md`. A person's edits are adopted line by line (src/session/README.md, Writing). */
export const progressSnapshot = (ports: {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly paths: SessionPaths;
}): SnapshotFile => {
  const earlierRows = (iteration: number): readonly IterationRow[] => {
    if (iteration < 2) return [];
    try {
      const text = readText(ports.disk, ports.paths.iteration(iteration - 1).progress);
      return text === null ? [] : parseProgress(text).value.iterations;
    } catch (error) {
      // Rows of an earlier iteration are a courtesy to the reader. Without its file this one is still written.
      if (diskCode(error) === '') throw error;
      return [];
    }
  };

  const modelOf = createProgressModel(ports.clock);
  /** The last rendered text: most events do not change this file. */
  let last: string | null = null;
  /** The file as we alone would have written it last. A note that only the real file has is a person's and stays. */
  let ours: string | null = null;

  return {
    path: (state) => ports.paths.iteration(state.iteration).progress,
    render: (state, current, written) => {
      if (current === null) return formatProgress(modelOf(state, earlierRows(state.iteration)));
      const model = modelOf(state, []);
      const anew = formatProgress(model);
      if (last === current && ours === anew) return current;
      const before = ours ?? written;
      // A file that nobody else has changed needs no edit.
      const text =
        current === ours
          ? anew
          : editProgress(current, model, before === null ? null : parseProgress(before).value);
      last = text;
      ours = anew;
      return text;
    },
    recall: (state) => {
      ours = formatProgress(modelOf(state, []));
    },
    same: (a, b) => a === b,
    edits: progressEdits,
  };
};

/** A person's changes, by item. An item that we changed differently meanwhile is a conflict. */
const progressEdits = (base: string, theirs: string, state: SessionState, file: string): Edits => {
  const before = parseProgress(base, file).value.items;
  const facts: EventBody[] = [];
  const conflicts: string[] = [];
  const { value, problems } = parseProgress(theirs, file);
  // The next write puts the known mark back.
  for (const problem of problems)
    if (problem.code === 'progress-marker')
      facts.push({
        type: 'problem.found',
        fault: { ...problem, hint: 'the previous mark will be restored' },
      });
  for (const { id, status } of value.items.values()) {
    const was = before.get(id)?.status;
    const ours = statusIn(state, id);
    if (was === undefined || ours === null || status === was || status === ours) continue;
    if (ours !== was) conflicts.push(`${id} became ${ours} here and ${status} in the file`);
    else facts.push(...editOf(id, ours, status));
  }
  return { facts, conflicts };
};

const statusIn = (state: SessionState, id: string): TaskStatus | null => {
  const item = itemOf(id);
  return item ? (state.planItems.get(item)?.mark ?? null) : (state.tasks.get(id)?.status ?? null);
};

const itemOf = (id: string): PlanItem | null => planItemSchema.safeParse(id).data ?? null;

const editOf = (id: string, from: TaskStatus, to: TaskStatus): readonly EventBody[] => {
  const item = itemOf(id);
  if (!item) return [{ type: 'task.edited-by-hand', task: id, from, to }];
  // A plan item has four marks; "failed" and "in review" are not among them.
  if (to === 'failed' || to === 'review') return [];
  return [{ type: 'plan-item.marked', item, mark: to, note: 'edited by hand' }];
};
