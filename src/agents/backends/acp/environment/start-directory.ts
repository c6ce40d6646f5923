import { dirname, join } from 'node:path';
import type { Disk } from '../../../../base/disk.ts';
import type { Brief } from '../../../port.ts';
import type { AgentProfile } from '../../../profiles/profile.ts';

/**
 * Where the process of an agent starts that may serve work in several trees: beside the session's worktrees, because a worktree ends with its task. Its
 * sessions name their own directory. It starts in its tree where it would read something of it only then, or where its command names a file there.
 */
export const startDirectory = (
  disk: Pick<Disk, 'lstat'>,
  { command, readsAtStart }: Pick<AgentProfile, 'command' | 'readsAtStart'>,
  { workspace, slot, reads }: Pick<Brief, 'workspace' | 'slot' | 'reads'>,
): string => {
  const isWorktree = slot !== undefined || reads === workspace;
  const needed = [...readsAtStart, ...command].map((path) => join(workspace, path));
  return isWorktree && needed.every((path) => disk.lstat(path) === null) ? dirname(workspace) : workspace;
};
