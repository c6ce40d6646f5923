import type { CommandResult } from '../../agents/command-result.ts';

/** The changes of a task, as its state holds them. */
export interface TaskChanges {
  /**
   * How far the review of its attempt got; counts while the status is `review`. With worktrees it ends with the merge: `passed` waits for it,
   * `conflict` waits for a person, `merged` is in the train and `verified` there, `landed` is on the session's branch, `rejected` failed its check.
   * `repeated`: it was done, and only its `verify` runs again.
   */
  readonly review:
    | 'open'
    | 'agent-passed'
    | 'passed'
    | 'conflict'
    | 'merged'
    | 'verified'
    | 'landed'
    | 'rejected'
    | 'repeated';
  /** Mode `flow`: its attempt was to be reviewed, and the review ended without a verdict. */
  readonly unreviewed: boolean;
  /** What the `verify` commands of the attempt printed before its review; `null` until they passed. */
  readonly verification: readonly CommandResult[] | null;
  /** Its `verify` failed beside other tasks in a shared tree. It runs once more, when nothing else works there, before it counts. */
  readonly verifiesAlone: boolean;
  /** When the check began that it passed while others worked in a shared tree; `null`: nothing worked beside it, or it has none. */
  readonly passedBeside: string | null;
  /** A Planner wrote its commands after a person had approved the plan: nobody has seen them. */
  readonly unseenCommands: boolean;
  /** The next attempt begins at the session's branch, not where the last one ended. */
  readonly afresh: boolean;
  /** Files changed by its attempts since it was last done. */
  readonly changed: readonly string[];
  /** Why the changes of a done task could not be committed; `null` when they were, or no commit was wanted. */
  readonly uncommitted: string | null;
  /** The changed hooks that a person has to look at before they are committed. */
  readonly unseenHooks: readonly string[];
  /** The success criteria that the review of the attempt left unchecked, about which a person decides. */
  readonly unchecked: readonly string[];
}
