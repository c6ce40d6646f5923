import type { Checked } from '../base/fault.ts';
import type { Holder, Issue, IssueLock } from './issue.ts';
import { type IssueState, isLockedState } from './state.ts';
import { stateAfter } from './transitions.ts';

/** Whether two holders are the same session. */
export const isSameHolder = (a: Holder, b: Holder): boolean =>
  a.machine === b.machine && a.workspace === b.workspace && a.session === b.session;

/** Whether a session other than `me` holds the issue. A state that a person set by hand carries no lock and holds nothing. */
export const isHeldByOther = (issue: Pick<Issue, 'state' | 'lock'>, me: Holder | null): boolean =>
  isLockedState(issue.state) &&
  issue.lock !== undefined &&
  (issue.lock.holder === null || me === null || !isSameHolder(issue.lock.holder, me));

interface Locked {
  readonly state: IssueState;
  readonly lock: IssueLock;
}

/**
 * Takes the lock of an issue: the new state and the lock to write, or the fault `issue-locked`. Idempotent for its own holder, whose time stays.
 * `at` is ISO 8601.
 */
export const takeLock = (
  issue: Pick<Issue, 'id' | 'state' | 'lock'>,
  me: Holder,
  at: string,
): Checked<Locked> => {
  if (isHeldByOther(issue, me)) {
    const what = `issue ${issue.id} is locked by ${lockText(issue.lock)}`;
    const hint = 'wait for it, or take the lock with `issues move --break-lock`';
    return { ok: false, faults: [{ code: 'issue-locked', what, hint }] };
  }
  const next = stateAfter(issue.state, 'lock');
  if (!next.ok) return next;
  const since = isLockedState(issue.state) && issue.lock !== undefined ? issue.lock.since : at;
  return { ok: true, value: { state: next.value, lock: { holder: me, since } } };
};

/** `260215-101500 on laptop since 2026-…`, for sentences; `this session since …` to `me`. */
export const lockText = (lock: IssueLock | undefined, me: Holder | null = null): string => {
  if (lock === undefined) return 'no session';
  const by = holderText(lock, me);
  return lock.since === '' ? by : `${by} since ${lock.since}`;
};

/** `260215-101500 on laptop`; `this session` to `me`. */
export const holderText = ({ holder }: IssueLock, me: Holder | null): string => {
  if (holder === null) return 'a session on another machine';
  return me !== null && isSameHolder(holder, me) ? 'this session' : `${holder.session} on ${holder.machine}`;
};

/** What is known of the session of a lock. `remote`: it runs on another machine, if at all. */
export type Liveness = 'alive' | 'dead' | 'remote';

/** A lock whose holder is dead, and the state its issue returns to. */
interface DeadLock {
  readonly issue: Issue;
  readonly state: IssueState;
}

/**
 * The locks that return by themselves. A session without a host is dead; a lock of another machine returns only by a person
 * (`issues move --break-lock`).
 */
export const deadLocks = (
  issues: readonly Issue[],
  liveness: (holder: Holder) => Liveness,
): readonly DeadLock[] =>
  issues.flatMap((issue) => {
    const holder = issue.lock?.holder;
    if (holder === undefined || holder === null || liveness(holder) !== 'dead') return [];
    const back = stateAfter(issue.state, 'fail');
    return [{ issue, state: back.ok ? back.value : issue.state }];
  });

/** The issues as they will be once those locks have returned. */
export const withoutDeadLocks = (
  issues: readonly Issue[],
  liveness: (holder: Holder) => Liveness,
): readonly Issue[] => {
  const back = new Map(deadLocks(issues, liveness).map(({ issue, state }) => [issue, state]));
  return issues.map((issue) => {
    const state = back.get(issue);
    if (state === undefined) return issue;
    const { lock: _lock, ...free } = issue;
    return { ...free, state };
  });
};
