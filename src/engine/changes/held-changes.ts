import type { Merged } from '../../changes/merged.ts';
import type { SessionChanges } from '../../changes/port.ts';
import type { Result } from '../../changes/result.ts';
import { lockLost } from '../journal-queue.ts';

/** Git of a session that may lose its lock in the middle of a step: nothing is changed any more then, because the program that took over works there. */
export const heldChanges = (changes: SessionChanges, isStillOurs: () => boolean): SessionChanges => {
  const held = async <T>(change: () => Promise<Result<T>>): Promise<Result<T>> =>
    isStillOurs() ? change() : { ok: false, fault: lockLost };
  const merging = async (merge: () => Promise<Merged>): Promise<Merged> =>
    isStillOurs() ? merge() : { kind: 'refused', reason: lockLost.what };
  return {
    ...changes,
    prepare: (...given) => held(() => changes.prepare(...given)),
    snapshot: (...given) => held(() => changes.snapshot(...given)),
    commit: (...given) => held(() => changes.commit(...given)),
    merge: (...given) => merging(() => changes.merge(...given)),
    showBranch: () => held(() => changes.showBranch()),
    land: (...given) => held(() => changes.land(...given)),
    showMerged: (...given) => held(() => changes.showMerged(...given)),
    keepShown: (...given) => held(() => changes.keepShown(...given)),
    takeBack: (...given) => held(() => changes.takeBack(...given)),
    openConflict: (...given) => held(() => changes.openConflict(...given)),
    resolve: (...given) => merging(() => changes.resolve(...given)),
    acceptConfiguration: (state) => held(() => changes.acceptConfiguration(state)),
    undo: (work) => held(() => changes.undo(work)),
    redo: (work) => held(() => changes.redo(work)),
    propose: (...given) => held(() => changes.propose(...given)),
    finish: (how) => held(() => changes.finish(how)),
    clean: (...given) => held(() => changes.clean(...given)),
    close: (...given) => held(() => changes.close(...given)),
  };
};
