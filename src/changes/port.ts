import type { Examined } from './examined.ts';
import type { Merged, Resolution } from './merged.ts';
import type { ChangesReader } from './reader.ts';
import type { Result } from './result.ts';

/**
 * The changes of a workspace: worktrees, snapshots, merges, undo. Implementations: `create-changes.ts` over real git,
 * `test/helpers/simulated-session-changes.ts`; both pass `test/changes/changes-conformance.ts`.
 *
 * Never touches the branch, index, stash or untracked files of the person, but for `finish`, `undo` and `redo` where stated.
 * Each call is finished or has no effect; after a crash `open` completes or takes back the one that was cut off.
 */
export interface ChangesPort {
  /** What the workspace allows. Cheap (a few git processes), changes nothing. `plan`: the text of the plan that runs, whose file is no change of the person. */
  examine(workspace: string, plan?: string | null): Promise<Examined>;
  /** Opens or reopens the changes of a session, after a crash too. Only the host of the session may hold it. */
  open(opening: Opening): Promise<Result<SessionChanges>>;
  /** The changes of a session for reading, from any process. A fault when nothing was recorded. */
  read(workspace: string, session: string): Promise<Result<ChangesReader>>;
  /** A worktree outside every session, for a look at how an agent or a command starts there. `copy`: as in `Opening`. A fault where no commit is checked out. */
  scratch(workspace: string, copy?: readonly string[]): Promise<Result<Scratch>>;
  /** Finds leftovers of sessions that are not in `live`: worktrees, half-made directories, branches of attempts, and last the refs of their snapshots. */
  findOrphans(workspace: string, live: readonly string[]): Promise<Result<readonly Orphan[]>>;
  /** Removes one. Unsaved work of its worktree is kept in a private ref first, named in the value. One that holds a git repository stays. */
  clearOrphan(workspace: string, orphan: Orphan): Promise<Result<{ readonly keptIn: string | null }>>;
}

export interface Opening {
  readonly workspace: string;
  readonly session: string;
  readonly isolation: 'worktree' | 'shared';
  /** The name of its branch instead of `ralph/<session>`. Where it is taken, the session's id is added. */
  readonly branch?: string;
  /** Its tasks only read, as those of a flow beside its streams: a branch with nothing on it goes when it is closed, and comes back with the next opening. */
  readonly reads?: boolean;
  /** Ignored files that come along into each worktree (`worktree.copy`), relative to the workspace, files or directories. */
  readonly copy: readonly string[];
  /** Runs in the check trees that a killed program left, before they are removed. */
  readonly before?: BeforeRemoval;
  /** Where patches of undone work are saved, absolute. */
  readonly patches: string;
  /** Values known to be secret, for `findSecrets`. */
  readonly secrets: readonly string[];
  /** Snapshots that the session's own record names. They count, whatever the refs of the repository say. */
  readonly recorded?: readonly (Attempt & {
    readonly before: string | null;
    readonly after: string | null;
  })[];
}

/**
 * The changes of one open session. Calls may overlap: they are queued where git needs it.
 *
 * Branches: the session's is `ralph/<session>`. Git cannot hold that name and names below it at once, so those of attempts are
 * `ralph-attempt/<session>/<task>/<attempt>`. Snapshots: `refs/ralph/<session>/<task>/<attempt>/before` and `/after`.
 * Characters of a task's id that a ref may not hold are replaced (`ref-names.ts`).
 */
export interface SessionChanges extends ChangesReader {
  /** `null` in shared isolation. */
  readonly worktree: {
    /** `ralph/<session>`. */
    readonly branch: string;
    /** The commit the session began at: the person's head then. */
    readonly base: string;
    /** The workspace in the session's own worktree. It holds what has landed after `showBranch`. */
    readonly directory: string;
  } | null;
  /** Makes the worktree of an attempt, or finds the one it has. Shared isolation: the workspace itself. */
  prepare(attempt: Attempt, start?: Start): Promise<Result<Prepared>>;
  /** Records the files as they are. Replaces an earlier snapshot of the same moment. */
  snapshot(attempt: Attempt, moment: 'before' | 'after'): Promise<Result<Snapshot>>;
  /**
   * Commits the attempt on its own branch: everything between its snapshots, by the person's identity (ours when there is none), without hooks
   * or signature. Takes the `after` snapshot first when there is none. Worktrees only.
   */
  commit(attempt: Attempt, message: string): Promise<Result<Committed>>;
  /**
   * Merges the committed attempt onto the session's branch. Call it in the order of the graph: merges run one by one. Merging it again gives
   * the same answer and no second commit. Refused when `.git/config` or a hook changed since `open`, or somebody else moved the branch (see `acceptConfiguration`).
   */
  merge(attempt: Attempt, train?: Train): Promise<Merged>;
  /** Brings the session's own worktree to what has landed. Nothing is done where it shows that. */
  showBranch(): Promise<Result<null>>;
  /** Moves the session's branch to a merge that was made for a train; its files follow with `showBranch`. Refused when the branch is not where that merge began. */
  land(attempt: Attempt, merge: { readonly before: string; readonly commit: string }): Promise<Result<null>>;
  /**
   * Shows a commit of the attempt, or the tip of the session's branch, in a check tree: a worktree in which no agent has worked. Its `verify` runs there;
   * several attempts have a check tree each. Besides the commit it holds what `worktree.copy` and `worktree.setup` made.
   * `existed`: it is set up; else `worktree.setup` has to run, and then `keepShown`.
   */
  showMerged(attempt: Attempt, commit?: string | null, how?: Shows): Promise<Result<Prepared>>;
  /** The set-up of the attempt's check tree is complete. `ran`: commands ran in it. */
  keepShown(attempt: Attempt, ran: boolean): Promise<Result<null>>;
  /** What git ignores in the attempt's worktree and its check tree does not have: the first such paths, relative to the workspace. None where one of the two is missing. */
  missingInShown(attempt: Attempt): Promise<Result<readonly string[]>>;
  /** The attempt's check tree may show another merge. */
  hideMerged(attempt: Attempt): void;
  /** Takes back the newest merge, because `verify` failed in it. Refused when another one followed: use `undo`. */
  takeBack(attempt: Attempt): Promise<Result<null>>;
  /** Writes the merge with conflict markers into the attempt's worktree, and returns the workspace there. */
  openConflict(attempt: Attempt): Promise<Result<{ readonly directory: string }>>;
  /** Resolves a conflict and merges. `conflict` again when the branch moved on in between. `nothing`: a refusal that says so. */
  resolve(attempt: Attempt, resolution: Resolution, train?: Train): Promise<Merged>;
  /**
   * The person looked at the changed configuration or hook, or at where somebody else moved the branch: from now on it is the known one. `state`: what the
   * refusal said (`Fault.state`, `Merged`). What has changed since is not accepted: it is refused, and told, the next time.
   */
  acceptConfiguration(state: string): Promise<Result<null>>;
  /**
   * Takes the changes of an attempt or task back: a commit on the session's branch, or the earlier files in a shared workspace. The
   * changes are saved as a patch first. Refused, naming tasks and files, when later work depends on them.
   */
  undo(work: Work): Promise<Result<Undone>>;
  /** Brings undone work back. Refused when the files changed since. */
  redo(work: Work): Promise<Result<Undone>>;
  /**
   * Makes the commit that `finish` with `merge` would put onto the person's branch, and a worktree of the attempt that holds it, so that it can be
   * verified first. The same answer while neither branch has moved. `null`: that merge makes no new state, for one branch contains the other.
   */
  propose(attempt: Attempt, merge: Merge): Promise<Result<(Prepared & { readonly commit: string }) | null>>;
  /** Brings the session's branch to the person, who asked for it. The only call that moves their branch. */
  finish(how: Finish): Promise<Result<Finished>>;
  /**
   * Removes the worktree and branch of a settled attempt. Its snapshots stay. Unsaved work is recorded as `after` first. A fault, and nothing is
   * removed, while the worktree holds a git repository whose files no commit holds, or files below `results` that git ignores and the workspace does
   * not have. `before` runs in the worktree right before it goes.
   */
  clean(attempt: Attempt, before?: BeforeRemoval, results?: readonly string[]): Promise<Result<null>>;
  /** Removes the session's own worktree and its check trees. `before` runs in each of these. Branch and snapshots stay. */
  close(before?: BeforeRemoval): Promise<Result<null>>;
}

/** What happens in a worktree before it is removed. Never rejects. */
export type BeforeRemoval = (place: Pick<Prepared, 'directory' | 'slot'>) => Promise<void>;

export interface Attempt {
  readonly task: string;
  readonly attempt: number;
}

/** Where an attempt begins: at the session's branch, which holds what is merged, or where an earlier attempt of the task ended. Work that was undone is not begun at again: then it is the session's branch. */
export type Start = { readonly from: 'session' } | { readonly from: 'attempt'; readonly attempt: number };

/** Only the merge commit is made: on this commit, or on the tip of the session's branch for `null`. `land` moves the branch once it is verified. */
export interface Train {
  readonly onto: string | null;
}

export interface Shows {
  /** Runs in a check tree that has to be made again. */
  readonly before?: BeforeRemoval;
  /** It goes to a runner, which sets up its own: then nothing runs here, now or later, in what it holds. */
  readonly isSent?: boolean;
}

export interface Prepared {
  /** The working directory of the attempt: the workspace inside its worktree. */
  readonly directory: string;
  /** Its branch; `null` in shared isolation. */
  readonly branch: string | null;
  /** The number of its worktree, which no other worktree of the repository has while it exists; `null` in shared isolation. */
  readonly slot: number | null;
  /** The worktree existed: an interrupted `prepare` of the same attempt continues in it. */
  readonly existed: boolean;
  /** Entries of `Opening.copy` that were not there, are tracked anyway, or lead outside: one sentence each. */
  readonly problems: readonly string[];
}

export interface Snapshot {
  /** The commit that holds the files. */
  readonly commit: string;
  /** Files that could not be read into it (permissions, a nested repository without a commit): one sentence each. */
  readonly problems: readonly string[];
  /** After the work in a worktree: git repositories in it whose files the snapshot does not hold, relative to the repository. */
  readonly repositories: readonly string[];
}

export interface Committed {
  /** The tip of the attempt's branch. */
  readonly commit: string;
  /** Nothing differs from where the attempt began. */
  readonly empty: boolean;
  /** Git repositories in the worktree whose files the commit does not hold, as workspace-relative paths: a merge would be without them. */
  readonly repositories: readonly string[];
  /** The same of what git could not read there, such as a path that is too long. */
  readonly unread?: readonly string[];
}

export interface Work {
  readonly task: string;
  /** `null`: all that the task has merged. */
  readonly attempt: number | null;
  /** Tasks that are blocked by it, directly or not. Undo is refused while merged work of one of them stands. */
  readonly dependants: readonly string[];
  /** Tasks that it is blocked by, directly or not. Redo is refused while work of one of them is undone. */
  readonly blockers?: readonly string[];
  /** Called when nothing can refuse it any more, before anything changes. */
  readonly began?: (done: Pick<Undone, 'patch' | 'files'>) => void;
  /**
   * Shared isolation: the files that are the work's, relative to the workspace. Without them, all that changed between its snapshots; then undo is
   * refused when another task ran beside it.
   */
  readonly files?: readonly string[];
}

export interface Undone {
  /** The patch file; `null` for a redo. */
  readonly patch: string | null;
  /** Workspace-relative paths that were changed. */
  readonly files: readonly string[];
  /** The new tip of the session's branch; `null` in shared isolation. */
  readonly commit: string | null;
}

/**
 * `merge`: into the branch that must be checked out; fast-forward where possible, else a merge commit. `squash`: the same as one commit. `pull-request`:
 * only the words of the command, nothing is run.
 */
export type Finish =
  /** `isWanted`: asked right before the person's branch moves. With `false` it stays where it is, and the fault is `called-off`. */
  | ({ readonly how: 'merge' | 'squash'; readonly isWanted?: () => Promise<boolean> } & Merge)
  | { readonly how: 'keep' }
  /** `base`: the person's branch when the session began; `null` for none. */
  | { readonly how: 'pull-request'; readonly title: string; readonly base: string | null };

export interface Merge {
  /** The person's branch, which must be checked out. */
  readonly into: string;
  readonly message: string;
  /** The attempt that `propose` made the commit for. Refused when a branch has moved since. */
  readonly proposed?: Attempt;
  /** The person agreed that commits come back which they have taken off their branch since the session began. Without it such a merge is refused; a squash brings none back. */
  readonly bringBack?: true;
}

export type Finished =
  | {
      readonly how: 'merged';
      readonly branch: string;
      readonly commit: string;
      readonly files: readonly string[];
    }
  | {
      readonly how: 'kept';
      readonly branch: string;
      /** The branch that is checked out; `null` for none. */
      readonly into: string | null;
      /** Ignored files of the person that git would overwrite without a word when it merges the branch. */
      readonly inTheWay: readonly string[];
      /** Changed and new files of the person that keep git from merging it. */
      readonly unsaved: readonly string[];
      /** Merging it would bring back commits that the person has taken off their branch. */
      readonly bringsBack: boolean;
    }
  | {
      readonly how: 'pull-request';
      readonly branch: string;
      /** Without one the commands fail until the person adds it. */
      readonly hasRemote: boolean;
      readonly commands: readonly (readonly string[])[];
    };

/** A worktree of the commit that is checked out, with a detached head. No ref points to it. */
export interface Scratch {
  /** The workspace in it. */
  readonly directory: string;
  /** As in `Prepared`. */
  readonly problems: readonly string[];
  /** Removes it with all that it holds. */
  remove(): Promise<Result<null>>;
}

export interface Orphan {
  readonly kind: 'worktree' | 'directory' | 'registration' | 'branch' | 'refs';
  readonly session: string;
  /** The path, the branch, or the directory of refs. */
  readonly name: string;
  /** One sentence for `doctor`. */
  readonly sentence: string;
}
