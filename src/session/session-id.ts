import { join } from 'node:path';
import { type Clock, formatSessionId } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';

/**
 * The id of a new session: local `yyMMdd-HHmmss`, the next free second when somebody else has this one. It is not reserved: of two programs
 * that choose the same id the lock lets one in, and the other asks again.
 */
export const chooseSessionId = (disk: Disk, clock: Clock, workspace: string): string => {
  const root = join(workspace, '.ralph-sessions');
  for (let at = clock.now(); ; at += 1_000) {
    const id = formatSessionId(clock, at);
    const taken = disk.lstat(join(root, id)) ?? disk.lstat(join(root, `${id}.instructions.md`));
    if (taken === null) return id;
  }
};
