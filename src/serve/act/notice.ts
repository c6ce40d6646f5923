import type { Need } from '../../../components/needs/select-needs.ts';

/** What a notice says; without contents only that something waits, and of which kind. */
export interface Notice {
  readonly session: string;
  readonly kind: Need['kind'];
  /** ISO 8601. */
  readonly since: string;
  readonly waiting: number;
  /** Only with `notify.content`. */
  readonly goal?: string;
  readonly text?: string;
}

interface Waiting {
  readonly session: string;
  readonly goal: string;
  readonly needs: readonly Need[];
}

interface NoticeRule {
  /** Milliseconds since the epoch, as the next one is. */
  readonly now: number;
  /** When the last page that showed the session was closed; 0 where none was. */
  readonly seenAt: number;
  readonly afterMs: number;
  readonly content: boolean;
}

/** Names one need of one session: of each there is one notice. */
const nameOf = (session: string, need: Need): string => `${session} ${need.kind} ${need.since} ${need.text}`;

/** What to do about the needs of a session: tell of one, look again in so many milliseconds, or nothing until something changes. */
export type Due =
  | { readonly kind: 'tell'; readonly notice: Notice }
  | { readonly kind: 'later'; readonly inMs: number }
  | { readonly kind: 'nothing' };

/** The notice that is due: of the oldest need that nobody has looked at for long enough, and that was not named before. `told` gets its name. */
export const dueNotice = (
  { session, goal, needs }: Waiting,
  { now, seenAt, afterMs, content }: NoticeRule,
  told: Set<string>,
): Due => {
  const open = needs.filter((need) => !told.has(nameOf(session, need)));
  const leftMs = (need: Need): number => Math.max(Date.parse(need.since), seenAt) + afterMs - now;
  const due = open.filter((need) => leftMs(need) <= 0);
  const [first] = due;
  if (first === undefined)
    return open.length === 0 ? { kind: 'nothing' } : { kind: 'later', inMs: Math.min(...open.map(leftMs)) };
  for (const need of due) told.add(nameOf(session, need));
  const said = content ? { goal, text: first.text } : {};
  return {
    kind: 'tell',
    notice: { session, kind: first.kind, since: first.since, waiting: needs.length, ...said },
  };
};
