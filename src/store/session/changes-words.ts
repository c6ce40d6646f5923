import type { SessionState } from '../../pipeline/state.ts';

/** Where the work of the session's worktrees lies: merged into the person's branch, or on a branch of its own. `null`: there is none. */
export const selectTakenChanges = ({
  changes: { session, merges, finished },
}: Pick<SessionState, 'changes'>): { readonly branch: string; readonly isMerged: boolean } | null =>
  session === null || merges === 0
    ? null
    : { branch: session.branch, isMerged: finished?.how === 'merge' && finished.merges === merges };
