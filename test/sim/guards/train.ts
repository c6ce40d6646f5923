import type { CreateGuard } from './guard.ts';

interface Merge {
  readonly before: string;
  readonly commit: string;
  verified: boolean;
}

/**
 * The session's branch moves only to verified merges, each made on the one before it, and holds the work of an attempt once. What a train took back counts
 * for nothing.
 */
export const guardTrain: CreateGuard = ({ say }) => {
  const merges = new Map<string, Merge>();
  const landed = new Map<string, string>();
  let tip: string | null = null;
  return {
    see: (event, state) => {
      // Between two starts the session may have run on another machine.
      if (event.type === 'session.started') tip = null;
      if (!('task' in event) || !('attempt' in event)) return;
      const at = `event ${event.seq}`;
      const key = `${state.iteration} ${event.task} ${event.attempt}`;
      const merge = merges.get(key);
      switch (event.type) {
        case 'attempt.merged': {
          const { before, commit } = event;
          merges.set(key, { before, commit, verified: false });
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
          landed.set(key, merge.commit);
          tip = merge.commit;
          break;
        }
        case 'task.qualified':
          if (merges.has(key) && !landed.has(key)) say(`${at}: ${event.task} is done and did not land`);
          break;
        default:
      }
    },
  };
};
