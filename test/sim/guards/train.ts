import { attemptKey, gitAttempt } from '../../../src/pipeline/changes/changes-state.ts';
import { standingOf } from '../../helpers/simulated-git.ts';
import type { CreateGuard } from './guard.ts';

interface Merge {
  readonly seq: number;
  readonly before: string;
  readonly commit: string;
  verified: boolean;
  /** Work was taken back or brought again since it was made: the branch is elsewhere. */
  stale: boolean;
}

/**
 * The session's branch moves only to verified merges, each made on the one before it, and holds the work of an attempt once. What a train took back counts
 * for nothing, is merged again or told, and so is what was made before an undo. A check speaks of the merge that it began with, and of no other. In the end the branch holds what landed and was not taken back, and nothing else of it.
 */
export const guardTrain: CreateGuard = ({ git, say }) => {
  const merges = new Map<string, Merge>();
  const landed = new Map<string, string>();
  /** Merges that wait for their landing, in their order, and those that a train took back since. */
  const train = new Set<string>();
  const takenBack = new Set<string>();
  const checks = new Map<string, number>();
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
      if (event.type === 'invocation.started') checks.set(event.invocation, event.seq);
      if (!('task' in event) || !('attempt' in event)) return;
      const at = `event ${event.seq}`;
      const key = `${state.iteration} ${event.task} ${event.attempt}`;
      const merge = merges.get(key);
      switch (event.type) {
        case 'attempt.merged': {
          const { seq, before, commit } = event;
          merges.set(key, { seq, before, commit, verified: false, stale: false });
          train.add(key);
          takenBack.delete(key);
          break;
        }
        case 'merge.verified':
          if (!merge) break;
          merge.verified = true;
          if ((checks.get(event.invocation) ?? merge.seq) < merge.seq)
            say(`${at}: ${event.task} was verified by a check of another merge`);
          break;
        case 'merge.rejected':
        case 'landing.refused': {
          merges.delete(key);
          const order = [...train];
          for (const each of order.slice(Math.max(0, order.indexOf(key)))) {
            train.delete(each);
            if (each !== key || event.type === 'landing.refused') takenBack.add(each);
          }
          break;
        }
        case 'merge.landed': {
          const task = state.tasks.get(event.task);
          train.delete(key);
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
          if (takenBack.has(key)) say(`${at}: ${event.task} is done, and its merge was taken back`);
          else if (merges.has(key) && !landed.has(key)) say(`${at}: ${event.task} is done and did not land`);
          break;
        case 'task.failed':
        case 'task.interrupted':
          takenBack.delete(key);
          break;
        default:
      }
    },
    end: (state) => {
      if (state.status === 'completed' || state.status === 'awaiting_feedback')
        for (const [id, { status, attempt }] of state.tasks)
          if (status === 'review' && takenBack.has(`${state.iteration} ${id} ${Math.max(attempt, 1)}`))
            say(`the merge of ${id} was taken back, and nothing came of it`);
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
