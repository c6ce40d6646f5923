import type { Clock } from '../../base/clock.ts';
import type { IssueId } from '../issue.ts';
import type { GhIssue } from './gh-issue.ts';

/** A look at an issue serves what follows it at once: a change reads it and writes it, and what it wrote is known. A list is a newer look. */
const freshForMs = 2_000;

/** Issues as they were read, or left by a change of ours, a moment ago. */
export interface Looks {
  readonly of: (id: IssueId) => GhIssue | null;
  readonly keep: (id: IssueId, issue: GhIssue) => void;
  /** It is changed, or about to be. */
  readonly drop: (id: IssueId) => void;
  readonly clear: () => void;
}

export const createLooks = (clock: Clock): Looks => {
  const kept = new Map<IssueId, { readonly issue: GhIssue; readonly at: number }>();
  return {
    of: (id) => {
      const look = kept.get(id);
      return look !== undefined && clock.monotonic() - look.at < freshForMs ? look.issue : null;
    },
    keep: (id, issue) => void kept.set(id, { issue, at: clock.monotonic() }),
    drop: (id) => void kept.delete(id),
    clear: () => kept.clear(),
  };
};
