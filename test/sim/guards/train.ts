import { attemptKey, gitAttempt } from '../../../src/pipeline/changes/changes-state.ts';
import { standingOf } from '../../helpers/simulated-git.ts';
import type { CreateGuard } from './guard.ts';

interface Merge {
  readonly before: string;
  readonly commit: string;
  verified: boolean;
  /** Work was taken back or brought again since it was made: the branch is elsewhere. */
  stale: boolean;
}

/**
 * The session's branch moves only to verified merges, each made on the one before it, and holds the work of an attempt once. What a train took back counts
 * for nothing, and so does what was made before an undo. In the end the branch holds what landed and was not taken back, and nothing else of it.
 */
export const guardTrain: CreateGuard = ({ git, say }) => {
  const merges = new Map<string, Merge>();
  const landed = new Map<string, string>();
  const onBranch = new Map<string, { readonly task: string; readonly attempt: number }>();
  let tip: string | null = null;
  return {
    see: (event, state) => {
      // Between two starts the session may have run on another machine.
      if (event.type === 'session.started') tip = null;
      if (event.type === 'changes.undone' || event.type === 'changes.redone') {
        tip = null;
        for (const [key, merge] of merges) merge.stale = !landed.has(key);
      }
      if (!('task' in event) || !('attempt' in event)) return;
      const at = `event ${event.seq}`;
      const key = `${state.iteration} ${event.task} ${event.attempt}`;
      const merge = merges.get(key);
      switch (event.type) {
        case 'attempt.merged': {
          const { before, commit } = event;
          merges.set(key, { before, commit, verified: false, stale: false });
          break;
        }
        case 'merge.verified':
          if (merge) merge.verified = true;
          break;
        case 'merge.rejected':
        case 'landing.refused':
          merges.delete(key);
          break;
        case 'merge.landed': {
          const task = state.tasks.get(event.task);
          if (!merge) {
            tip = null;
            break;
          }
          const proven =
            merge.verified || task?.verification !== null || task?.definition.verify.length === 0;
          if (!proven) say(`${at}: ${event.task} landed before it was verified`);
          // A program that died between the two says again what git had done.
          if ((landed.get(key) ?? merge.commit) !== merge.commit)
            say(`${at}: attempt ${event.attempt} of ${event.task} landed twice`);
          // The streams of a flow have branches of their own.
          if (state.mode === 'waves' && tip !== null && merge.before !== tip && merge.commit !== tip)
            say(`${at}: ${event.task} landed on ${merge.before}, and the branch was at ${tip}`);
          if (merge.stale) say(`${at}: ${event.task} landed with a merge that was made before an undo`);
          landed.set(key, merge.commit);
          if (merge.commit !== merge.before)
            onBranch.set(
              attemptKey(state.iteration, event.task, event.attempt),
              gitAttempt(state.iteration, event.task, event.attempt),
            );
          tip = merge.commit;
          break;
        }
        case 'task.qualified':
          if (merges.has(key) && !landed.has(key)) say(`${at}: ${event.task} is done and did not land`);
          break;
        default:
      }
    },
    end: (state) => {
      if (git === null || state.changes.turning !== null) return;
      for (const [key, attempt] of onBranch) {
        const isUndone = state.changes.attempts.get(key)?.undone != null;
        const stands = standingOf(git, attempt).length > 0;
        if (stands && isUndone) say(`${key} was taken back, and the branch holds it`);
        if (!stands && !isUndone) say(`${key} has landed, and the branch does not hold it`);
      }
    },
  };
};
