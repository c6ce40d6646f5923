/** The changes of a task, as its state holds them. */
export interface TaskChanges {
  /** How far the review of its attempt got; counts while the status is `review`. */
  readonly review: 'open' | 'agent-passed';
  /** Files changed by its attempts since it was last done. */
  readonly changed: readonly string[];
  /** Why the changes of a done task could not be committed; `null` when they were, or no commit was wanted. */
  readonly uncommitted: string | null;
}
