import type { Need } from '../../store/signals/select-needs.ts';

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
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly afterMs: number;
  readonly content: boolean;
}

/** Names one need of one session: of each there is one notice. */
const nameOf = (session: string, need: Need): string => `${session} ${need.kind} ${need.since} ${need.text}`;

/** The notice that is due: of the oldest need that has waited long enough and was not named before; `null` without one. `told` gets its name. */
export const dueNotice = (
  { session, goal, needs }: Waiting,
  { now, afterMs, content }: NoticeRule,
  told: Set<string>,
): Notice | null => {
  const due = needs.filter(
    (need) => now - Date.parse(need.since) >= afterMs && !told.has(nameOf(session, need)),
  );
  const [first] = due;
  if (first === undefined) return null;
  for (const need of due) told.add(nameOf(session, need));
  const said = content ? { goal, text: first.text } : {};
  return { session, kind: first.kind, since: first.since, waiting: needs.length, ...said };
};
