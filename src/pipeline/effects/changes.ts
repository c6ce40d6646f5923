import type { ChangesEventType } from '../events/changes.ts';
import type { SessionState } from '../state.ts';
import { type AsksOf, nothing, save } from './table.ts';

/** Effects of the facts about changes. */
export const effectsOfChanges: AsksOf<ChangesEventType> = {
  'changes.opened': nothing,
  'worktree.prepared': nothing,
  'attempt.snapshotted': nothing,
  'review.passed': save,
  'merge.started': ({ after }) => stepUnderWay(after),
  'attempt.merged': nothing,
  'merge.conflicted': nothing,
  'merge.refused': nothing,
  'merge.rejected': ({ after }) => stepUnderWay(after),
  'merge.taken-back': nothing,
  'worktree.removed': nothing,
  'finish.started': ({ after }) => stepUnderWay(after),
  'changes.finished': nothing,
  'finish.refused': nothing,
  'undo.started': nothing,
  'changes.undone': nothing,
  'changes.redone': nothing,
};

/** The work of git that the state waits for. Asked again at each start: a crash may have come between the fact and the work. */
export const stepUnderWay = ({ changes: { step } }: SessionState) =>
  step === null ? [] : [{ type: 'take-changes-step', step } as const];
