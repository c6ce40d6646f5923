import { join } from 'node:path';
import type { AttemptChanges, Conflict, ConflictPlace } from '../../src/pipeline/changes/changes-state.ts';
import { conflictWords, mergeRequestOf } from '../../src/pipeline/changes/merging.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { selectChoices, selectQuestion } from '../question/select-question.ts';
import type { ViewState } from '../view.ts';

/** The files of the merge conflict that the question on screen is about, absolute, both sides marked in them. None elsewhere. */
export const conflictToEdit = ({ session, ui }: ViewState): readonly string[] => {
  const top = ui.overlays.at(-1);
  const found = top?.kind === 'answer' ? conflictOf(session, top.request) : null;
  if (found === null || found.directory === null) return [];
  const { directory } = found;
  return found.conflict.files.map((file) => join(directory, file));
};

/** The first places that both sides of the conflict changed; none for another question. */
export const selectConflict = (session: SessionState | null, request: string): readonly ConflictPlace[] =>
  conflictOf(session, request)?.conflict.hunks ?? [];

/** The conflict that the question is about, in words; `null` for another question, and for a merge that was refused. */
export const conflictTitle = (session: SessionState | null, request: string): string | null => {
  const found = conflictOf(session, request);
  return found === null || found.conflict.refused !== null ? null : conflictWords(found.task, found.conflict);
};

/** The place of `edited` among the choices of the question on screen; -1 where there is none. */
export const editedChoice = ({ session, ui }: ViewState): number => {
  const top = ui.overlays.at(-1);
  if (top?.kind !== 'answer') return -1;
  return selectChoices(selectQuestion(session, top.request)).findIndex(({ id }) => id === 'edited');
};

type InConflict = AttemptChanges & { readonly conflict: Conflict };

const conflictOf = (session: SessionState | null, request: string): InConflict | null => {
  // Attempts of a later iteration have the same numbers, and come last.
  const attempts = [...(session?.changes.attempts.values() ?? [])].toReversed();
  return attempts.find((each): each is InConflict => isAbout(each, request)) ?? null;
};

const isAbout = ({ task, attempt, conflict }: AttemptChanges, request: string): boolean =>
  conflict !== null && request === mergeRequestOf(task, attempt, conflict.times);
