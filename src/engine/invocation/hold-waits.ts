import type { PermissionAnswer } from '../../agents/permissions.ts';
import type { Event } from '../../pipeline/event.ts';
import type { Core } from '../core.ts';
import type { Active } from './active.ts';

/** Waits of invocations for the beginning or the end of a hold. */
export interface HoldWaits {
  /** Resolves when a hold is pending or not, as wanted, or the invocation is stopped. */
  until(active: Active, wanted: boolean): Promise<void>;
  /** The answer, once no hold is pending. */
  after(active: Active, answer: PermissionAnswer): Promise<PermissionAnswer>;
  /** Whether an answer for it waits for the end of a hold. */
  keepsAnswerOf(active: Active): boolean;
  /** Sees every event. */
  note(event: Event): void;
}

const ends: readonly Event['type'][] = ['hold.requested', 'hold.ended', 'abort.requested', 'session.stopped'];

export const createHoldWaits = ({ loop, options }: Pick<Core, 'loop' | 'options'>): HoldWaits => {
  const waiting = new Set<() => void>();
  const kept = new Set<Active>();

  const until: HoldWaits['until'] = (active, wanted) =>
    new Promise((resolve) => {
      const look = (): void => {
        const isHeld = loop.isOpen() && loop.state().hold !== null && loop.state().abort === null;
        if (isHeld !== wanted && !active.over && active.stop === null) return;
        waiting.delete(look);
        active.ends.signal.removeEventListener('abort', look);
        resolve();
      };
      waiting.add(look);
      active.ends.signal.addEventListener('abort', look);
      look();
    });

  return {
    until,
    after: async (active, answer) => {
      kept.add(active);
      await until(active, false);
      kept.delete(active);
      return active.stop !== null || active.over ? 'cancelled' : answer;
    },
    keepsAnswerOf: (active) => kept.has(active),
    note: ({ type }) => {
      if (ends.includes(type))
        options.clock.after(0, () => {
          for (const look of [...waiting]) look();
        });
    },
  };
};
