import type { TaskId } from '../../tasks/task.ts';

/** The changes of a session whose tasks work in worktrees; empty for others. */
export interface Changes {
  readonly changes: ChangesState;
}

export interface ChangesState {
  /** Where tasks change files, chosen when the session began. `null`: as `settings.isolation` says. */
  readonly isolation: 'worktree' | 'shared' | null;
  /** The session's branch, and the worktree that holds what is merged. */
  readonly session: {
    readonly branch: string;
    readonly base: string;
    readonly directory: string;
    /** The person's branch when it began; `null` for none, absent in older journals. */
    readonly on?: string | null;
    /** The person's hooks when it began; absent without any. */
    readonly hooks?: readonly CommitHook[];
  } | null;
  /** The work of git under way: one at a time. A new start asks for it again. */
  readonly step: ChangesStep | null;
  /** By `attemptKey`. */
  readonly attempts: ReadonlyMap<string, AttemptChanges>;
  /** Merges that the session's branch does not hold yet, each made on the one before. */
  readonly train: readonly TrainMember[];
  /** The runners where a task was worked on, in any attempt. Tasks that were only worked on here have no entry. */
  readonly workedOn: ReadonlyMap<TaskId, readonly string[]>;
  /** The runners whose work was merged. */
  readonly mergedFrom: readonly string[];
  /** Number of merges that stand. An attempt that changed nothing made none. */
  readonly merges: number;
  /** What a person, or `changes.at_end`, decided about the branch after so many merges. */
  readonly finished: {
    readonly how: FinishHow;
    readonly merges: number;
    /** What a person runs for a pull request, one command per line. */
    readonly commands: readonly string[];
    /** The repository has no remote for them. */
    readonly noRemote: boolean;
    /** Why `changes.at_end` could not be done, with nobody there to ask. */
    readonly refused: string | null;
    /** It could not because a person has to look at something first. */
    readonly unseen: boolean;
    /** Ignored files of the workspace that a merge of the branch would overwrite. */
    readonly inTheWay: readonly string[];
    /** Changed and new files of the workspace that keep git from merging it. */
    readonly unsaved: readonly string[];
    /** What a person runs to take the kept branch; none: a merge by git. */
    readonly take: readonly string[];
  } | null;
  /** The undo or redo that a person asked the running session for, until its turn comes. */
  readonly asked: Turn | null;
  /** An undo or redo of a person that has not ended, or was cut off. */
  readonly turning: Turning | null;
  /** Why the branch could not be brought to the person, and how often. */
  readonly unfinished: {
    readonly reason: string;
    readonly times: number;
    readonly unseen: boolean;
    /** A fingerprint of what the reason tells of, where a person may accept it. */
    readonly state: string | null;
  } | null;
  /** How many invocations had started when `worktree.teardown` last ran in the check trees; `null`: it never did. */
  readonly tornDown: number | null;
}

/** An attempt on its way to the session's branch. */
export interface TrainMember {
  readonly task: TaskId;
  readonly attempt: number;
}

/** `undo` takes merged work back, `redo` brings it again. */
export type Way = 'undo' | 'redo';

export interface Turn {
  readonly way: Way;
  readonly task: TaskId;
  /** `null`: all that the task has merged. */
  readonly attempt: number | null;
}

export interface Turning extends Turn {
  readonly files: readonly string[];
  readonly patch: string | null;
}

export type FinishHow = 'merge' | 'squash' | 'keep' | 'pull-request';

export type ChangesStep =
  | {
      readonly kind: 'merge';
      readonly task: TaskId;
      readonly attempt: number;
      readonly take: 'session' | 'task' | 'edited' | null;
      readonly anyway: boolean;
    }
  /** Moves the session's branch to the merge. */
  | { readonly kind: 'land'; readonly task: TaskId; readonly attempt: number }
  | { readonly kind: 'take-back'; readonly task: TaskId; readonly attempt: number }
  | ({ readonly kind: 'turn' } & Turn)
  | { readonly kind: 'finish'; readonly how: FinishHow }
  /** Runs `worktree.teardown` in the check trees, and removes them. */
  | { readonly kind: 'tear-down' };

/** A hook that may refuse a commit of the person. `runs`: its command; `null` where it is a script of several. */
export interface CommitHook {
  readonly name: string;
  readonly runs: string | null;
}

export interface AttemptChanges {
  readonly task: TaskId;
  readonly attempt: number;
  /** `null` when its worktree was removed. */
  readonly directory: string | null;
  readonly branch: string | null;
  /** `worktree.setup` ran in it. */
  readonly isSetUp: boolean;
  /** Commits that hold the files. */
  readonly before: string | null;
  readonly after: string | null;
  /** Shared workspace: the files that are its own. `null` in a worktree, where all that changed is. */
  readonly files: readonly string[] | null;
  /** Shared workspace: what else changed meanwhile and no task declares. */
  readonly undeclared: readonly string[];
  /** Worktree: the other agents that could write there while it worked, by their tasks or roles. */
  readonly beside: readonly string[];
  /** Files that its tool calls changed, and those that its agent said it changed: as it named them. */
  readonly claimed: readonly string[];
  /** When it was last seen what it changed. */
  readonly endedAt: string | null;
  /** The tip of the session's branch after its merge, which is `mergedOnto` when it changed nothing. */
  readonly merged: string | null;
  /** The tip of the session's branch before that. */
  readonly mergedOnto: string | null;
  /** The patch of the work, while a person has taken it back. */
  readonly undone: string | null;
  /** It conflicts with a merge that is not verified yet, and waits until none is left. */
  readonly deferred: boolean;
  /** A person looked at what the merge was refused for. */
  readonly allowed: boolean;
  /** The tasks whose merged lines gave way when a person resolved its conflict: their `verify` runs on its merge too. */
  readonly overrules: readonly TaskId[];
  /** Why the merge waits for a person, and how often it did. */
  readonly conflict: Conflict | null;
}

/** One place that both sides of a merge changed: the file, the line in it with markers, and the lines of each side. */
export interface ConflictPlace {
  readonly path: string;
  readonly line: number;
  readonly session: readonly string[];
  readonly task: readonly string[];
}

export interface Conflict {
  /** None when the merge was refused for another reason than a conflict. */
  readonly files: readonly string[];
  readonly against: readonly TaskId[];
  /** The first places that both sides changed. */
  readonly hunks: readonly ConflictPlace[];
  /** The reason of a refusal, also of a resolution with conflict markers left; `null` for a new conflict. */
  readonly refused: string | null;
  /** A fingerprint of what a person accepts who merges it all the same: a change of git's configuration, or of the branch. */
  readonly unaccepted: string | null;
  readonly times: number;
}

export const noChanges: ChangesState = {
  isolation: null,
  session: null,
  step: null,
  attempts: new Map(),
  workedOn: new Map(),
  mergedFrom: [],
  merges: 0,
  finished: null,
  asked: null,
  turning: null,
  unfinished: null,
  tornDown: null,
  train: [],
};

/** An attempt as git knows it. Attempts count from 1 in each iteration, so that later iterations show in the task's name. */
export const gitAttempt = (
  iteration: number,
  task: TaskId,
  attempt: number,
): { readonly task: string; readonly attempt: number } => ({
  task: iteration === 1 ? task : `${task}@${iteration}`,
  attempt,
});

/** The commit that merged the attempt. `null`: it is not merged, or changed nothing, so that the branch stayed where it was. */
export const mergeOf = (attempt: AttemptChanges | undefined): string | null =>
  attempt === undefined || attempt.merged === attempt.mergedOnto ? null : attempt.merged;

/** The key of an attempt in `ChangesState.attempts`: `task-1/2`, in later iterations `task-1@2/1`. */
export const attemptKey = (iteration: number, task: TaskId, attempt: number): string => {
  const named = gitAttempt(iteration, task, attempt);
  return `${named.task}/${named.attempt}`;
};
