import type { Core } from '../core.ts';
import { nameIn, reportEditConflict } from './edit-conflict.ts';
import type { SnapshotFile } from './snapshot-file.ts';

/** A foreign change of one session file, as two whole texts. */
export interface ForeignEdit {
  readonly file: SnapshotFile;
  readonly path: string;
  /** Our text that was changed. */
  readonly base: string;
  readonly theirs: string;
}

/** Commits what a person changed, item by item. What the session changed differently since `base` is a conflict. */
export const adoptEdit = (core: Core, { file, path, base, theirs }: ForeignEdit): void => {
  const { facts, conflicts } = file.edits(base, theirs, core.loop.shown(), nameIn(core, path));
  for (const fact of facts) core.loop.commit(fact);
  if (conflicts.length > 0) reportEditConflict(core, path, theirs, conflicts);
};
