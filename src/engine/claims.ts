import { formatTimestamp } from '../base/clock.ts';
import type { SignalLife } from '../pipeline/state.ts';
import type { Claim, Handling } from '../signals/mailbox.ts';
import type { Core } from './core.ts';

/** Takes a signal that was claimed to its end. */
export interface Claims {
  /** Archives it and records that; an archive that fails is tried again on every poll, the claim is kept. */
  finish(claim: Claim, handling: Handling): void;
  /** The same with `signal.undelivered` as the record. */
  undelivered(claim: Claim, handling: Handling): void;
  /** One that came to its end already, and only a power loss brought its file back: nothing is recorded a second time. */
  bury(claim: Claim, life: SignalLife): void;
  reject(claim: Claim, reason: string): void;
  /** Back into `inputs/`: whoever had it died before it was handled. */
  putBack(claim: Claim): void;
  retry(): void;
}

const ends: ReadonlySet<SignalLife['stage']> = new Set<SignalLife['stage']>([
  'handled',
  'undelivered',
  'withdrawn',
  'rejected',
]);

/** The journal knows the end of this signal: a file of it that lies in the mailbox again is buried, whoever finds it. */
export const isOver = (life: SignalLife | undefined): life is SignalLife =>
  life !== undefined && ends.has(life.stage);

/** What its archive says was done: the journal keeps why a message reached nobody without the word that tells it from one that was read. */
const archivedAction = ({ stage, action }: SignalLife): string =>
  stage === 'undelivered' && action !== null ? `undelivered: ${action}` : (action ?? stage);

export const createClaims = (core: Core): Claims => {
  const unfinished = new Map<string, () => boolean>();
  const { loop, mailbox } = core;

  const archive = (claim: Claim, handling: Handling, record: () => void): void => {
    const attempt = (): boolean => {
      // What was done must be on disk before the archive says that it was done.
      if (!loop.flush()) return true;
      const fault = mailbox.archive(claim, handling);
      if (fault) {
        core.problem(fault);
        return false;
      }
      record();
      return true;
    };
    if (!attempt()) unfinished.set(claim.id, attempt);
  };

  return {
    finish: (claim, handling) =>
      archive(claim, handling, () => {
        loop.commit({
          type: 'signal.handled',
          id: claim.id,
          file: claim.file,
          signal: claim.signal,
          handled_by: handling.handled_by,
          checkpoint: handling.checkpoint,
          action_taken: handling.action_taken,
          invocation: handling.invocation,
        });
      }),
    undelivered: (claim, handling) =>
      archive(claim, handling, () => {
        loop.commit({
          type: 'signal.undelivered',
          id: claim.id,
          file: claim.file,
          signal: claim.signal,
          reason: handling.action_taken.replace(/^undelivered: /, ''),
        });
      }),
    bury: (claim, life) => {
      if (life.stage === 'rejected') {
        mailbox.rejectClaim(claim, life.action ?? 'rejected');
        return;
      }
      archive(
        claim,
        {
          handled_by: life.handledBy ?? 'Ralph-v2-Orchestrator',
          handled_at: formatTimestamp(core.options.clock, Date.parse(life.since)),
          action_taken: archivedAction(life),
          checkpoint: life.checkpoint ?? 'Orchestrator.boundary',
          invocation: null,
          acks: [],
        },
        () => {},
      );
    },
    reject: (claim, reason) => {
      // What becomes of a signal is looked for after a crash only when the journal knows the signal.
      if (!loop.flush()) return;
      mailbox.rejectClaim(claim, reason);
      loop.commit({ type: 'signal.rejected', id: claim.id, file: claim.file, reason });
    },
    putBack: (claim) => {
      mailbox.putBack(claim);
      loop.commit({
        type: 'signal.pending',
        letter: { id: claim.id, file: claim.file, signal: claim.signal },
        waits_for: 'put back: whoever had it ended before it was handled',
      });
    },
    retry: () => {
      for (const [id, attempt] of [...unfinished]) if (attempt()) unfinished.delete(id);
    },
  };
};
