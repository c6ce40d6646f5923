import type { IssueId } from '../issue.ts';
import { allBlockers, type IssueIndex } from '../issue-index.ts';
import type { ListEntry, ListFacts } from './list-entry.ts';
import { isOver, isPast } from './over.ts';
import { type TaskPhase, taskPhaseSchema } from './task-phase.ts';

/** Why a task has nothing to do for an issue, and what keeps it from doing what it has. */
export interface Outlook {
  /** The last task of a phase for an issue that no other one has taken over. */
  readonly lastOf: (phase: TaskPhase, issue: IssueId) => ListEntry | undefined;
  /** Why the issue is no part of the task any more; `null`: it is. */
  readonly out: (entry: ListEntry, issue: IssueId) => string | null;
  /** The task without which nothing can be done here for the issue, as things are; `null`: there is none. */
  readonly barrier: (entry: ListEntry, issue: IssueId) => ListEntry | null;
  readonly isReplaced: (entry: ListEntry) => boolean;
  /** It was deleted in the tracker. */
  readonly isGone: (issue: IssueId) => boolean;
  /** All that an issue waits for in the tracker, directly or not. */
  readonly blockersOf: (issue: IssueId) => ReadonlySet<IssueId>;
}

export const outlookOf = (list: readonly ListEntry[], facts: ListFacts): Outlook => {
  const ids = new Set(list.map(({ task }) => task.id));
  const isReplaced = ({ task }: ListEntry): boolean =>
    task.replaced_by.some((part) => part !== task.id && ids.has(part));
  const last = new Map<string, ListEntry>();
  for (const entry of list)
    if (!isReplaced(entry))
      for (const issue of entry.task.issues) last.set(`${entry.task.phase} ${issue}`, entry);
  const lastOf = (phase: TaskPhase, issue: IssueId): ListEntry | undefined => last.get(`${phase} ${issue}`);
  const actionOf = (issue: IssueId): string | null => lastOf('triage', issue)?.action ?? null;
  const isDropped = (phase: TaskPhase, issue: IssueId): boolean => {
    const action = actionOf(issue);
    return phase === 'research' && action !== null && action !== 'research';
  };
  const out = ({ task: { phase } }: ListEntry, issue: IssueId): string | null => {
    const why = whyOver(facts, issue);
    if (why !== null) return why;
    if (phase !== 'triage' && phase !== 'split' && actionOf(issue) === 'split')
      return `${issue} is split first`;
    return isDropped(phase, issue) ? `triage found nothing to research for ${issue}` : null;
  };
  /** Nothing comes of this task for the issue unless a person tries it again. */
  const isDead = (entry: ListEntry, issue: IssueId): boolean => {
    if (isDropped(entry.task.phase, issue)) return false;
    if (entry.standing === 'failed' || entry.standing === 'off') return true;
    return entry.lost !== null && entry.standing !== 'done';
  };
  const isBuilt = (issue: IssueId): boolean => lastOf('implement', issue)?.standing === 'done';
  const ownBarrier = (issue: IssueId, before: number): ListEntry | null => {
    // Work that is done needs nothing before it.
    const first = before > place('implement') && isBuilt(issue) ? place('pr') : 0;
    const state = facts.index.byId.get(issue)?.state;
    for (const phase of taskPhaseSchema.options.slice(first, before)) {
      const entry = lastOf(phase, issue);
      if (entry === undefined || !isDead(entry, issue)) continue;
      if (state === undefined || !isPast(phase, state)) return entry;
    }
    return null;
  };
  const waits = memoisedBlockers(facts.index);
  const foreignBarrier = (issue: IssueId): ListEntry | null => {
    for (const blocker of waits(issue)) {
      if (isBuilt(blocker)) continue;
      const own = ownBarrier(blocker, place('pr'));
      if (own !== null) return own;
      const needsPerson = facts.index.byId.get(blocker)?.state === 'Human Needed';
      const left = needsPerson ? lastOf('implement', blocker) : undefined;
      if (left !== undefined) return left;
    }
    return null;
  };
  const barrier = ({ task: { phase } }: ListEntry, issue: IssueId): ListEntry | null => {
    const at = place(phase);
    const own = ownBarrier(issue, at);
    if (own !== null || at < place('implement') || (at > place('implement') && isBuilt(issue))) return own;
    return foreignBarrier(issue);
  };
  const isGone = (issue: IssueId): boolean => facts.gone.has(issue);
  return { lastOf, out, barrier, isReplaced, isGone, blockersOf: waits };
};

const place = (phase: TaskPhase): number => taskPhaseSchema.options.indexOf(phase);

/** One that a reading left out, as for a broken line, is not taken for closed. */
const whyOver = ({ index, gone }: ListFacts, issue: IssueId): string | null => {
  if (gone.has(issue)) return `${issue} was deleted`;
  const state = index.byId.get(issue)?.state;
  return state !== undefined && isOver(state) ? `${issue} is ${state}` : null;
};

const memoisedBlockers = (index: IssueIndex): Outlook['blockersOf'] => {
  const known = new Map<IssueId, ReadonlySet<IssueId>>();
  return (id) => {
    const found = known.get(id) ?? allBlockers(index, id);
    known.set(id, found);
    return found;
  };
};
