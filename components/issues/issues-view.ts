import type { IssueId } from '../../src/issues/issue.ts';
import type { IssueBoard, IssueInFull, IssueReading, IssuesReading } from '../ports/issues-port.ts';

/** What the screen knows of the tracker. A failed reading keeps what is known. */
export interface IssuesView {
  /** The last reading that succeeded. `null` before one did. */
  readonly board: IssueBoard | null;
  /** Why the latest reading failed. `null`: it succeeded, or there was none. */
  readonly error: string | null;
  /** Counts what makes another reading due: a person asked for it, or the session changed issues. */
  readonly asked: number;
  /** The latest issues that were read in full, by id. A sentence stands for one that could not be read. */
  readonly read: { readonly [id: IssueId]: { readonly revision: string; readonly of: IssueInFull | string } };
}

export const noIssuesYet: IssuesView = { board: null, error: null, asked: 0, read: {} };

/** Actions of the Issues tab, and what was read for it. */
export type IssueAction =
  /** Reads the tracker now. */
  | { readonly type: 'issues-asked' }
  | { readonly type: 'issues-read'; readonly reading: IssuesReading }
  | {
      readonly type: 'issue-read';
      readonly id: IssueId;
      readonly revision: string;
      readonly reading: IssueReading;
    };
