import type { TurnResult } from '../agents/port.ts';
import type { Active } from './active.ts';

type Taker = Pick<Active, 'over' | 'stop'>;

/** Commits of one program are made one after the other (engine.md, States): git lets only one at its index, and every task is to get its own. */
export interface CommitTurns {
  /** Does the work when all who came before are done; who was stopped meanwhile does nothing. */
  take(active: Taker, work: () => Promise<TurnResult>): Promise<TurnResult>;
  /** It is silent because others commit. */
  waits(active: Taker): boolean;
  /** Its turn goes to the next, whatever its agent still does. */
  leave(active: Taker): void;
}

export const createCommitTurns = (): CommitTurns => {
  const waiting = new Set<Taker>();
  let holder: { readonly active: Taker; readonly leave: () => void } | null = null;
  let last: Promise<void> = Promise.resolve();
  return {
    take: async (active, work) => {
      const before = last;
      const turn = Promise.withResolvers<void>();
      last = turn.promise;
      waiting.add(active);
      await before;
      waiting.delete(active);
      holder = { active, leave: turn.resolve };
      try {
        if (active.over || active.stop)
          return { kind: 'stopped', why: active.stop === 'abort' ? 'abort' : 'cancel' };
        return await work();
      } finally {
        turn.resolve();
      }
    },
    waits: (active) => waiting.has(active),
    leave: (active) => {
      if (holder?.active === active) holder.leave();
    },
  };
};
