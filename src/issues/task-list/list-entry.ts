import type { IssueId } from '../issue.ts';
import type { IssueIndex } from '../issue-index.ts';
import type { PlanReview } from '../position/phase.ts';
import type { FlowTask } from './flow-task.ts';

/** A task of a list that is worked on. */
export interface ListEntry {
  readonly task: FlowTask;
  /** `active`: its agent works, or its result is being kept. `failed`: without attempts left. `off`: it was cancelled. */
  readonly standing: 'open' | 'active' | 'done' | 'failed' | 'off';
  /** The engine has its result: it stays as it is. */
  readonly kept: boolean;
  /** Why another session, or a person, has its issues now. */
  readonly lost: string | null;
  /** What a triage decided. `null`: nothing yet, or it is none. */
  readonly action: string | null;
}

/** What a list is revised by. */
export interface ListFacts {
  readonly index: IssueIndex;
  /** Issues that somebody deleted. */
  readonly gone: ReadonlySet<IssueId>;
  readonly review: PlanReview;
  readonly autoMerge: boolean;
}

/** From one list to the next. */
export interface Revision {
  /** Tasks with other issues or blockers than before. */
  readonly changed: readonly FlowTask[];
  readonly added: readonly FlowTask[];
  /** Tasks that have nothing to do any more. Nothing waits for them. */
  readonly off: readonly { readonly id: string; readonly reason: string }[];
}
