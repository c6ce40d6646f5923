import type { ArtifactKind } from '../../src/issues/documents/artifact-comment.ts';
import type { Issue, IssueId } from '../../src/issues/issue.ts';

/** Reads the tracker of a workspace for the screen. Performed by the cli. No call rejects: a failed reading is a sentence. */
export interface IssuesPort {
  /** All issues. Their bodies and comments are left out. */
  list(): Promise<IssuesReading>;
  /** One issue with its text, comments and documents. Every part is bounded. */
  show(id: IssueId): Promise<IssueReading>;
}

/** `error`: what failed and what to do, as one sentence. */
export type IssuesReading =
  | { readonly ok: true; readonly board: IssueBoard }
  | { readonly ok: false; readonly error: string };

export type IssueReading =
  | { readonly ok: true; readonly issue: IssueInFull }
  | { readonly ok: false; readonly error: string };

/** One reading of a whole tracker. */
export interface IssueBoard {
  /** As `flow.tracker` names it: `native`, `gh`. */
  readonly tracker: string;
  /** Without bodies and comments. */
  readonly issues: readonly Issue[];
  /** What the tracker's own data leaves unclear, one sentence each. */
  readonly problems: readonly string[];
  /** ISO 8601. */
  readonly at: string;
  /** Milliseconds until the next reading (`flow.poll`). */
  readonly pollMs: number;
  /** A person reviews plans (`flow.plan_review`). */
  readonly humanReview: boolean;
}

/** An issue as its details show it. */
export interface IssueInFull {
  readonly id: IssueId;
  readonly revision: string;
  /** Markdown of a stranger. */
  readonly body: string;
  /** Characters of the body that were left out. */
  readonly bodyCut: number;
  /** In the order of the tracker. */
  readonly comments: readonly ShownComment[];
  /** Older comments that were left out. */
  readonly commentsCut: number;
  readonly documents: readonly ShownDocument[];
}

export interface ShownComment {
  /** `null` when the tracker names no author. */
  readonly author: string | null;
  /** ISO 8601, or ''. */
  readonly at: string;
  readonly body: string;
  /** Why no document is taken from it. `null`: it counts. */
  readonly ignored: string | null;
}

export interface ShownDocument {
  readonly kind: ArtifactKind;
  /** A path relative to the workspace, or a URL. */
  readonly location: string;
  readonly via: 'comment' | 'front matter' | 'file name';
}

/** A workspace without a tracker: for screens that ask a single question. */
export const noIssues: IssuesPort = {
  list: async () => ({ ok: false, error: 'There is no tracker here' }),
  show: async () => ({ ok: false, error: 'There is no tracker here' }),
};
