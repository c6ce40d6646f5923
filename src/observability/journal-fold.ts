import type { Disk } from '../base/disk.ts';
import type { Fault } from '../base/fault.ts';
import { createSha256, type RunningHash } from '../base/hash.io.ts';
import { createFold } from '../pipeline/evolve.ts';
import type { SessionState } from '../pipeline/state.ts';
import { createJournalCheck } from './journal-check.ts';
import { scanBlocks } from './journal-file.ts';
import { foldOrFault } from './unusable-event.ts';

/** The state at a byte of the journal, and the hash of all bytes before it. */
export interface JournalMark {
  readonly state: SessionState;
  readonly offset: number;
  readonly hash: RunningHash;
}

/** A fold of a growing journal. */
export interface JournalFold {
  /** Folds the lines that were added. False when the journal became shorter: the fold is then of no use. Throws where an event cannot be used. */
  advance(): boolean;
  /** The state, which the next `advance` changes in place, and where it stands. */
  mark(): JournalMark;
  readonly problems: () => readonly Fault[];
}

/** Begins at `from`, or at the start of the journal. Leaves out the steps of settled work, which do not change the state. */
export const createJournalFold = (disk: Disk, path: string, from: JournalMark | null): JournalFold => {
  const fold = createFold(from?.state ?? null);
  const check = createJournalCheck(path, from?.state.seq ?? null);
  const hash = from?.hash ?? createSha256();
  let offset = from?.offset ?? 0;
  return {
    advance: () => {
      const read = scanBlocks(disk, path, offset, (block) => {
        hash.update(block);
        foldOrFault(disk, path, () => fold.add(check.events(block, 'state')));
      });
      if (read.shrunk) return false;
      offset = read.offset;
      return true;
    },
    mark: () => ({ state: fold.state(), offset, hash }),
    problems: check.problems,
  };
};
