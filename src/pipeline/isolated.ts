import type { SessionState } from './state.ts';

/** Each task works in a worktree of its own: in a flow always. A loop has one task after another in the workspace. */
export const isIsolated = ({
  mode,
  settings,
  changes: { isolation },
}: Pick<SessionState, 'mode' | 'settings' | 'changes'>): boolean =>
  mode === 'flow' || (mode === 'waves' && (isolation ?? settings.isolation) === 'worktree');
