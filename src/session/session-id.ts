import { join } from 'node:path';
import { type Clock, formatSessionId } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';

/**
 * The id of a new session: local `yyMMdd-HHmmss`, or the next free second when it is taken. Creates the session's directory, and only its
 * creator owns the id: two programs that start in one second never share a session.
 */
export const reserveSessionId = (disk: Disk, clock: Clock, workspace: string): string => {
  const root = join(workspace, '.ralph-sessions');
  disk.mkdir(root);
  for (let at = clock.now(); ; at += 1_000) {
    const id = formatSessionId(clock, at);
    if (isFree(disk, root, id) && disk.mkdir(join(root, id))) return id;
  }
};

const isFree = (disk: Disk, root: string, id: string): boolean =>
  (disk.lstat(join(root, id)) ?? disk.lstat(join(root, `${id}.instructions.md`))) === null;
