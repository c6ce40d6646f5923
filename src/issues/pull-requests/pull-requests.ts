import type { Checked } from '../../base/fault.ts';

/** What became of a pull request. */
export interface PullRequestLook {
  readonly state: 'open' | 'merged' | 'closed';
  /** `failed`: a check failed, or a member asks for changes. `none`: no check was reported, so nothing shows that it may be merged. */
  readonly checks: 'pending' | 'passed' | 'failed' | 'none';
  /** The commit that the checks belong to. */
  readonly head: string;
  /** Why it failed: the end of the failing logs, and the words of members with their places. Texts of others, so data. */
  readonly feedback: string;
  /** Nobody can merge it before it is marked ready. */
  readonly isDraft?: boolean;
}

/** Where branches are reviewed and merged. No call throws: what the place refuses is a fault of one sentence. */
export interface PullRequests {
  /** Pushes the branch, and opens its pull request unless one is open: that one is adopted, and marked ready unless a draft is wanted. */
  open(wanted: {
    readonly branch: string;
    readonly title: string;
    readonly body: string;
    /** The branch that it goes against; `null`: the default branch. */
    readonly base: string | null;
    /** Nothing has checked the work. Where drafts do not exist, it is an ordinary one. */
    readonly draft?: boolean;
  }): Promise<Checked<{ readonly url: string }>>;
  look(url: string): Promise<Checked<PullRequestLook>>;
  /** Merges it, a `draft` too, if `head` is still its last commit: what was pushed later was not checked. `not-mergeable`: only a person can continue it. */
  merge(url: string, head: string, draft?: boolean): Promise<Checked<null>>;
}
