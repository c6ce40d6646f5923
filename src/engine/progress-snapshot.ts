import type { Clock } from '../base/clock.ts';
import { type Disk, diskCode } from '../base/disk.ts';
import { readText } from '../base/replace-file.ts';
import type { EventBody } from '../pipeline/event.ts';
import type { SessionState } from '../pipeline/state.ts';
import type { SessionPaths } from '../session/paths.ts';
import { type PlanItem, planItemSchema } from '../session/status.ts';
import { editProgress, formatProgress, type IterationRow, parseProgress } from '../tasks/progress-file.ts';
import type { TaskStatus } from '../tasks/task.ts';
import { progressModel } from './progress-model.ts';
import type { Edits, SnapshotFile } from './snapshots.ts';

/** `iterations/<N>/progress.md`; a person's edit is taken over line by line (session-format.md, Writing). */
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
      // What an earlier iteration's file says is a courtesy to the reader: without it this one is written all the same.
      if (diskCode(error) === '') throw error;
      return [];
    }
  };

  /** What was rendered last, from which model: most events change nothing that this file says. */
  let last: { readonly text: string; readonly model: string } | null = null;
  /** The file as we alone would have written it last: a note that stands only in the real one is a person's and stays. */
  let ours: string | null = null;

  return {
    path: (state) => ports.paths.iteration(state.iteration).progress,
    render: (state, current, written) => {
      if (current === null)
        return formatProgress(progressModel(state, ports.clock, earlierRows(state.iteration)));
      const model = progressModel(state, ports.clock, []);
      const said = JSON.stringify(model);
      if (last?.text === current && last.model === said) return current;
      const before = ours ?? written;
      const anew = formatProgress(model);
      // What nobody else has touched need not be edited.
      const text =
        current === ours
          ? anew
          : editProgress(current, model, before === null ? null : parseProgress(before).value);
      last = { text, model: said };
      ours = anew;
      return text;
    },
    recall: (state) => {
      ours = formatProgress(progressModel(state, ports.clock, []));
    },
    same: (a, b) => a === b,
    edits: progressEdits,
  };
};

/** What a person changed, by item; an item that we changed to something else meanwhile is a conflict. */
const progressEdits = (base: string, theirs: string, state: SessionState, file: string): Edits => {
  const before = parseProgress(base, file).value.items;
  const facts: EventBody[] = [];
  const conflicts: string[] = [];
  for (const { id, status } of parseProgress(theirs, file).value.items.values()) {
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
  // A plan item knows four marks; "failed" and "in review" say nothing about one.
  if (to === 'failed' || to === 'review') return [];
  return [{ type: 'plan-item.marked', item, mark: to, note: 'edited by hand' }];
};
