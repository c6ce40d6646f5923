import type { Clock } from '../../../src/base/clock.ts';
import { refused, type Tracker } from '../../../src/issues/trackers/tracker.ts';
import type { SessionState } from '../../../src/pipeline/state.ts';
import type { SeededRandom } from '../../helpers/seeded-random.ts';
import type { Act, Ledger } from './ledger.ts';

export interface WatchedPorts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly isDown: () => boolean;
  /** Whether this is another session that lives. */
  readonly isTwin: (session: string | null) => boolean;
  readonly hear: (act: Act) => void;
  /** The session as it is now. */
  readonly session: () => SessionState | null;
}

/** The tracker as one life of the engine sees it: each call takes a while, some are refused, and each change that took place is heard of. */
export const createWatchedTracker = (
  tracker: Tracker,
  { ledger, clock, random, isDown, isTwin, hear, session }: WatchedPorts,
): Tracker => {
  const slowly = async <T>(call: () => Promise<T>, otherwise: () => T): Promise<T> => {
    if (random.chance(0.3)) await new Promise<void>((resolve) => void clock.after(random.int(500), resolve));
    return isDown() ? otherwise() : call();
  };
  const refusal = () => refused(down.code, down.what);
  return {
    ...tracker,
    list: () =>
      slowly(
        () => tracker.list(),
        () => ({ ok: false, error: down }),
      ),
    show: (id) => slowly(() => tracker.show(id), refusal),
    update: (id, change, revision) => {
      const asked = session();
      return slowly(async () => {
        const before = ledger.stateOf(id);
        const lock = ledger.lockOf(id);
        const updated = await tracker.update(id, change, revision);
        if (!updated.ok || before === null) return updated;
        ledger.note(id);
        hear({ kind: 'write', issue: id, before, change, heldBy: isTwin(lock) ? lock : null, asked });
        return updated;
      }, refusal);
    },
    comment: (id, body) => slowly(() => tracker.comment(id, body), refusal),
    create: (draft) =>
      slowly(async () => {
        const made = await tracker.create(draft);
        if (made.ok) ledger.note(made.value.id);
        return made;
      }, refusal),
  };
};

/** The answer of a tracker that is down. */
export const down = { code: 'tracker-down', what: 'the tracker answered 500' } as const;
