import type { Counter } from './counter.ts';
import { type Durations, durationsOf } from './durations.ts';

/** The signals of one type. */
export interface SignalCounts {
  readonly type: string;
  readonly sent: number;
  readonly handled: number;
  /** Read by an agent that gave no answer to it. */
  readonly unanswered: number;
  readonly rejected: number;
  readonly undelivered: number;
  readonly withdrawn: number;
  /** From the moment the session saw it. */
  readonly toClaim: Durations;
  readonly toHandling: Durations;
}

type Counts = Record<'sent' | 'handled' | 'unanswered' | 'rejected' | 'undelivered' | 'withdrawn', number>;
interface Kind extends Counts {
  readonly claims: number[];
  readonly handlings: number[];
}
interface Known {
  readonly kind: Kind;
  readonly since: number;
  claimed: boolean;
}

export const createSignalCount = (): Counter<readonly SignalCounts[]> => {
  const kinds = new Map<string, Kind>();
  let known = new Map<string, Known>();
  const kindOf = (type: string): Kind => {
    const found = kinds.get(type);
    if (found) return found;
    const made = {
      sent: 0,
      handled: 0,
      unanswered: 0,
      rejected: 0,
      undelivered: 0,
      withdrawn: 0,
      claims: [],
      handlings: [],
    };
    kinds.set(type, made);
    return made;
  };
  /** A signal may be claimed before the session has reported it as pending. */
  const see = (id: string, type: string, ms: number): Known => {
    const found = known.get(id);
    if (found) return found;
    const made = { kind: kindOf(type), since: ms, claimed: false };
    made.kind.sent += 1;
    known.set(id, made);
    return made;
  };
  const end = (id: string, how: keyof Counts): void => {
    const signal = known.get(id);
    if (signal) signal.kind[how] += 1;
  };
  return {
    begin: () => {
      known = new Map();
    },
    take: (event, ms) => {
      switch (event.type) {
        case 'signal.pending':
          see(event.pending.id, event.pending.signal.type, ms);
          break;
        case 'signal.claimed': {
          const signal = see(event.id, event.signal.type, ms);
          if (!signal.claimed) signal.kind.claims.push(Math.max(0, ms - signal.since));
          signal.claimed = true;
          break;
        }
        case 'signal.handled': {
          const signal = see(event.id, event.signal.type, ms);
          if (event.answered === false) {
            signal.kind.unanswered += 1;
            break;
          }
          signal.kind.handlings.push(Math.max(0, ms - signal.since));
          signal.kind.handled += 1;
          break;
        }
        case 'signal.rejected':
          if (event.id !== null) end(event.id, 'rejected');
          break;
        case 'signal.undelivered':
          end(event.id, 'undelivered');
          break;
        case 'signal.withdrawn':
          end(event.id, 'withdrawn');
          break;
        default:
          break;
      }
    },
    result: () =>
      [...kinds].map(([type, { claims, handlings, ...counts }]) => ({
        type,
        ...counts,
        toClaim: durationsOf(claims),
        toHandling: durationsOf(handlings),
      })),
  };
};
