import { formatTimestamp } from '../../base/clock.ts';
import type { SignalLife } from '../../pipeline/state.ts';
import { isMessage } from '../../signals/kinds.ts';
import type { Claim, Handling } from '../../signals/mailbox.ts';
import type { Core } from '../core.ts';
import { archivedAs } from './archived-as.ts';
import type { Backlog } from './backlog.ts';

/** Takes a claimed signal to its end. */
export interface Claims {
  /**
   * Archives it and records its outcome: a message when its turn comes, anything else at once. A failed archive is retried on every poll; the claim
   * is kept.
   */
  finish(claim: Claim, handling: Handling): void;
  /** Archives a signal again after a power loss restored its file. Its end is already recorded, so nothing is recorded twice. */
  archiveAgain(claim: Claim, life: SignalLife): void;
  reject(claim: Claim, reason: string): void;
  /** Returns a claim to `inputs/`: its owner died before handling it. */
  putBack(claim: Claim): void;
  retry(): void;
}

const ends: ReadonlySet<SignalLife['stage']> = new Set<SignalLife['stage']>([
  'handled',
  'unanswered',
  'undelivered',
  'withdrawn',
  'rejected',
]);

const outcomeOf = (stage: SignalLife['stage']): Handling['outcome'] => {
  if (stage === 'unanswered') return 'delivered';
  return stage === 'undelivered' || stage === 'withdrawn' ? stage : 'handled';
};

/** The journal knows the end of this signal. A file of it in the mailbox is archived again, whichever consumer finds it. */
export const isOver = (life: SignalLife | undefined): life is SignalLife =>
  life !== undefined && ends.has(life.stage);

export const createClaims = (core: Core, backlog: Backlog): Claims => {
  const unfinished = new Map<string, () => boolean>();
  const { loop, mailbox } = core;

  const archive = (claim: Claim, handling: Handling, record: () => void): void => {
    const attempt = (): boolean => {
      const fault = mailbox.archive(claim, handling);
      if (fault) {
        core.problem(fault);
        return false;
      }
      record();
      return true;
    };
    const end = (): void => {
      if (!attempt()) unfinished.set(claim.id, attempt);
    };
    if (isMessage(claim.signal.type)) backlog.add(end);
    // The effect must be on disk before the archive reports it.
    else if (loop.flush()) end();
  };

  return {
    finish: (claim, handling) =>
      archive(claim, handling, () => {
        loop.commit(archivedAs(claim, handling));
      }),
    archiveAgain: (claim, life) => {
      if (life.stage === 'rejected') {
        mailbox.rejectClaim(claim, life.action ?? 'rejected');
        return;
      }
      archive(
        claim,
        {
          outcome: outcomeOf(life.stage),
          handled_by: life.handledBy ?? 'Ralph-v2-Orchestrator',
          handled_at: formatTimestamp(core.options.clock, Date.parse(life.since)),
          action_taken: life.action ?? life.stage,
          checkpoint: life.checkpoint ?? 'Orchestrator.boundary',
          invocation: null,
          acks: [],
        },
        () => {},
      );
    },
    reject: (claim, reason) => {
      // After a crash only signals that the journal knows are looked up.
      if (!loop.flush()) return;
      mailbox.rejectClaim(claim, reason);
      loop.commit({ type: 'signal.rejected', id: claim.id, file: claim.file, reason });
    },
    putBack: (claim) => {
      mailbox.putBack(claim);
      loop.commit({
        type: 'signal.pending',
        pending: { id: claim.id, file: claim.file, signal: claim.signal },
        waits_for: 'put back: its reader ended before handling it',
      });
    },
    retry: () => {
      if (unfinished.size === 0 || !loop.flush()) return;
      for (const [id, attempt] of [...unfinished]) if (attempt()) unfinished.delete(id);
    },
  };
};
