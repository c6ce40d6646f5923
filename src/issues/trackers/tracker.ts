import type { Clock } from '../../base/clock.ts';
import type { Disk } from '../../base/disk.ts';
import type { Checked, Fault } from '../../base/fault.ts';
import type { Random } from '../../base/random.ts';
import type { Estimate, Issue, IssueComment, IssueId, IssueLock } from '../issue.ts';
import { indexIssues, readyIssues } from '../issue-index.ts';
import type { IssueState } from '../state.ts';

/** One reading of a whole tracker. A failed reading holds no issues: it says nothing about any of them. */
export type Reading =
  | { readonly ok: true; readonly issues: readonly Issue[]; readonly problems: readonly Fault[] }
  | { readonly ok: false; readonly error: Fault };

/** The change of one issue. An absent key changes nothing. */
export interface IssueChange {
  readonly state?: IssueState;
  /** `null` gives the lock back. */
  readonly lock?: IssueLock | null;
  readonly estimate?: Estimate;
}

/** What a person may change of an issue beside its state and its size. A list replaces the one before. */
export interface IssueEdit {
  readonly title?: string | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly blockedBy?: readonly IssueId[] | undefined;
}

/** A place where some of that can be changed. */
export interface IssueEditing {
  readonly keys: readonly (keyof IssueEdit)[];
  edit(id: IssueId, change: IssueEdit): Promise<Checked<Issue>>;
}

export interface IssueDraft {
  readonly title: string;
  readonly body?: string;
  readonly labels?: readonly string[];
  readonly estimate?: Estimate;
  readonly parent?: IssueId;
  readonly blockedBy?: readonly IssueId[];
}

/**
 * A place where issues live. Every adapter passes `test/issues/tracker-conformance.ts`. No call throws: what the tracker refuses is a fault of one
 * sentence.
 */
export interface Tracker {
  readonly name: string;
  /** Whether other machines see its issues: then only locks of this machine return by themselves. */
  readonly isShared: boolean;
  /** All issues. Comments may be left out: `show` gives them. */
  list(): Promise<Reading>;
  /** One issue with its comments, read again. */
  show(id: IssueId): Promise<Checked<Issue>>;
  /**
   * Changes an issue that still has `revision`; the fault `issue-changed` otherwise, so that of two sessions one gets a lock. `null` changes it
   * whatever it is.
   */
  update(id: IssueId, change: IssueChange, revision: string | null): Promise<Checked<Issue>>;
  comment(id: IssueId, body: string): Promise<Checked<IssueComment>>;
  create(draft: IssueDraft): Promise<Checked<Issue>>;
  /** Absent: a person edits the issue where it is. */
  readonly editing?: IssueEditing | undefined;
}

/** The ports of all adapters. */
export interface TrackerPorts {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly random: Random;
  /** The workspace, absolute. */
  readonly workspace: string;
  /** Hears of each file that was written, while other writers still wait for it. */
  readonly wrote?: ((path: string) => void) | undefined;
}

/** What each reading tells (src/issues/README.md, Issues and trackers). A failed one counts as unknown, never as "not eligible". */
interface ReadingSummary {
  readonly ok: boolean;
  readonly candidates: number | null;
  readonly eligible: number | null;
  readonly error: string | null;
}

export const summarise = (reading: Reading): ReadingSummary =>
  reading.ok
    ? {
        ok: true,
        candidates: reading.issues.length,
        eligible: readyIssues(indexIssues(reading.issues)).length,
        error: null,
      }
    : { ok: false, candidates: null, eligible: null, error: reading.error.what };

/** A refusal with one fault. */
export const refused = (
  code: string,
  what: string,
  hint?: string,
): { readonly ok: false; readonly faults: readonly Fault[] } => ({
  ok: false,
  faults: [{ code, what, ...(hint === undefined ? {} : { hint }) }],
});

export const noSuchIssue = (id: IssueId) =>
  refused('issue-unknown', `issue ${id} does not exist`, 'see `ralph-tui issues`');

export const changedMeanwhile = (id: IssueId) =>
  refused('issue-changed', `issue ${id} was changed by someone else`, 'read it again');
