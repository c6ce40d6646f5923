import type { SessionState } from '../../pipeline/state.ts';

/**
 * Where the work of the session's worktrees lies: merged into the person's branch, or on a branch of its own, with the commands for a pull request when
 * those were asked for. `null`: there is none.
 */
export const selectTakenChanges = ({
  changes: { session, merges, finished },
}: Pick<SessionState, 'changes'>): {
  readonly branch: string;
  readonly isMerged: boolean;
  readonly commands: readonly string[];
} | null => {
  if (session === null || merges === 0) return null;
  const last = finished?.merges === merges ? finished : null;
  return {
    branch: session.branch,
    isMerged: last?.how === 'merge' || last?.how === 'squash',
    commands: last?.commands ?? [],
  };
};
