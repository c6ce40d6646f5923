import { join } from 'node:path';
import { type Clock, formatSessionId } from '../base/clock.ts';
import { type Disk, diskCode } from '../base/disk.ts';

/**
 * The id of a new session: local `yyMMdd-HHmmss`, or the next free second when it is taken. Creates the session's directory, and only its
 * creator owns the id: two programs that start in one second never share a session. `everywhere`: a directory of the ids in all workspaces, because
 * those of one repository share its branches, and a branch is named after its session.
 */
export const reserveSessionId = (disk: Disk, clock: Clock, workspace: string, everywhere: string): string => {
  const root = join(workspace, '.ralph-sessions');
  disk.mkdir(root);
  const isReserved = reserving(disk, everywhere, formatSessionId(clock, clock.now() - keptMs));
  for (let at = clock.now(); ; at += 1_000) {
    const id = formatSessionId(clock, at);
    if (isFree(disk, root, id) && isReserved(id) && disk.mkdir(join(root, id))) return id;
  }
};

/** A reserved id is in use by its branch after that time, or never will be. */
const keptMs = 2 * 24 * 60 * 60_000;

/** Reserves an id among those of all workspaces, unless another program has it. Where nothing can be written there, git still refuses a second branch of a name. */
const reserving = (disk: Disk, everywhere: string, oldest: string): ((id: string) => boolean) => {
  try {
    disk.mkdir(everywhere);
    for (const id of disk.readdir(everywhere)) if (id < oldest) disk.rmdir(join(everywhere, id));
  } catch (error) {
    if (diskCode(error) === '') throw error;
    return () => true;
  }
  return (id) => disk.mkdir(join(everywhere, id));
};

const isFree = (disk: Disk, root: string, id: string): boolean =>
  (disk.lstat(join(root, id)) ?? disk.lstat(join(root, `${id}.instructions.md`))) === null;
