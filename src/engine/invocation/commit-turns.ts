import type { TurnResult } from '../../agents/port.ts';
import type { Active } from './active.ts';

type Taker = Pick<Active, 'over' | 'stop'>;

/** Serialises the commits of one program (src/engine/README.md, States): git's index has one writer, and every task gets its own commit. */
export interface CommitTurns {
  /** Runs the work after all earlier commits. Does nothing for an invocation that was stopped meanwhile. */
  take(active: Taker, work: () => Promise<TurnResult>): Promise<TurnResult>;
  /** True while it waits for other commits; its silence is then expected. */
  waits(active: Taker): boolean;
  /** Passes its turn on, even while its agent still runs. */
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
