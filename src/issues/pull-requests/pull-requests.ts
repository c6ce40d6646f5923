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
  /** Comments of members that are not among the answered ones; absent without any. */
  readonly comments?: { readonly ids: readonly string[]; readonly words: string };
  /** Nobody can merge it before it is marked ready. */
  readonly isDraft?: boolean;
}

/** Why it must not be merged as it stands: what failed or was asked for, else what members said; `null` without any. */
export const objectionTo = ({
  checks,
  feedback,
  comments,
}: Pick<PullRequestLook, 'checks' | 'feedback' | 'comments'>): string | null =>
  checks === 'failed' ? feedback : (comments?.words ?? null);

/** The code of a fault: the place has no drafts, as GitHub for private repositories of a free plan, or a person closed the one of unfinished work. */
export const noDrafts = 'no-drafts';

/** A pull request that is open now. */
export interface OpenedRequest {
  readonly url: string;
  /** It was open before, and its text is not the one that was wanted. */
  readonly hasOtherText?: boolean;
  /** The ids of what was said about it before, where it was adopted: that was about earlier work. */
  readonly said?: readonly string[];
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
    /** `unchecked`: nothing has checked the work. Where drafts do not exist, it is an ordinary one. `unfinished`: more work follows. There is none then: `no-drafts`. */
    readonly draft?: 'unchecked' | 'unfinished';
    /**
     * Whether this program wrote the text of the one that is open, and nobody has edited it: then it gets this title and text. It was there before, so that an
     * unfinished one that is not open any more stays closed: `no-drafts`.
     */
    readonly isOurs?: (body: string) => boolean;
  }): Promise<Checked<OpenedRequest>>;
  /** `answered`: the ids of comments that are no news; without it, comments are not read. */
  look(url: string, answered?: ReadonlySet<string>): Promise<Checked<PullRequestLook>>;
  /** Merges it, a `draft` too, if `head` is still its last commit: what was pushed later was not checked. `not-mergeable`: only a person can continue it. */
  merge(url: string, head: string, draft?: boolean): Promise<Checked<null>>;
}
