import { join } from 'node:path';
import { mergeRequestOf } from '../../pipeline/changes/merging.ts';
import type { ViewState } from '../view.ts';

/** The files of the merge conflict that the question on screen is about, absolute, both sides marked in them. None elsewhere. */
export const conflictToEdit = ({ session, ui }: ViewState): readonly string[] => {
  const top = ui.overlays.at(-1);
  if (session === null || top?.kind !== 'answer') return [];
  // Attempts of a later iteration have the same numbers, and come last.
  const attempts = [...session.changes.attempts.values()].toReversed();
  for (const { task, attempt, directory, conflict } of attempts)
    if (directory !== null && conflict !== null)
      if (top.request === mergeRequestOf(task, attempt, conflict.times))
        return conflict.files.map((file) => join(directory, file));
  return [];
};
