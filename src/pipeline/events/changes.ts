import { z } from 'zod';
import { late } from '../../base/memoise.ts';
import { failureCauseSchema } from './failure-cause.ts';
import { attempt, invocation, task } from './fields.ts';

/** How the session's branch comes to the person. */
const finishSchema = z.enum(['merge', 'squash', 'keep', 'pull-request']);

/** Which work a person takes back, or brings again. */
const turn = {
  way: z.enum(['undo', 'redo']),
  task,
  /** Absent: all that the task has merged. */
  attempt: attempt.optional(),
};

/** From the worktree to the review. */
const workEvents = () =>
  [
    /** The session has a branch, with its own worktree in `directory`. */
    z.object({
      type: z.literal('changes.opened'),
      branch: z.string(),
      /** The commit it began at: the person's head then. */
      base: z.string(),
      directory: z.string(),
      /** The branch that the person had checked out; `null` for none. */
      on: z.string().nullable().optional(),
      /** The person's hooks that may refuse a commit: none runs on those of the session. */
      hooks: z.array(z.object({ name: z.string(), runs: z.string().nullable() })).optional(),
    }),
    z.object({
      type: z.literal('worktree.prepared'),
      task,
      attempt,
      invocation,
      directory: z.string(),
      branch: z.string(),
    }),
    /** `worktree.setup` ran in the attempt's worktree on this machine. A runner runs it in a work tree of its own. */
    z.object({ type: z.literal('worktree.set-up'), task, attempt }),
    /** The files of the attempt as they were, in a private commit. */
    z.object({
      type: z.literal('attempt.snapshotted'),
      task,
      attempt,
      moment: z.enum(['before', 'after']),
      commit: z.string(),
      /** Shared workspace, `after`: the files that are the attempt's. Other tasks may have changed others meanwhile. */
      files: z.array(z.string()).optional(),
      /** Shared workspace, `after`: what changed meanwhile and no task that worked then declares. */
      undeclared: z.array(z.string()).optional(),
      /** Worktree, `after`: the other agents that could write there while it worked, by their tasks or roles. */
      beside: z.array(z.string()).optional(),
      /** Worktree, `after`: the files that its agent said it changed. */
      claimed: z.array(z.string()).optional(),
    }),
    /** The Reviewer qualified the attempt, and it continues: to a person (the default), or to the merge. */
    z.object({
      type: z.literal('review.passed'),
      task,
      attempt,
      invocation,
      next: z.enum(['person', 'merge']).optional(),
      /** The success criteria for which it shows nothing. */
      unchecked: z.array(z.string()).optional(),
    }),
    /** Mode `flow`: the Reviewer gave no verdict on the attempt, however often it was asked. It continues unreviewed, or to a person who reviews it. */
    z.object({
      type: z.literal('review.missed'),
      task,
      attempt,
      reason: z.string(),
      next: z.enum(['person', 'merge']),
      invocation: invocation.optional(),
    }),
  ] as const;

/** Its merge. */
const mergeEvents = () =>
  [
    /** `take`: the side of a conflict that a person chose. `anyway`: a person looked at what the merge was refused for. */
    z.object({
      type: z.literal('merge.started'),
      task,
      attempt,
      take: z.enum(['session', 'task', 'edited']).optional(),
      anyway: z.boolean().optional(),
    }),
    z.object({
      type: z.literal('attempt.merged'),
      task,
      attempt,
      /** The tip of the session's branch before it. */
      before: z.string(),
      commit: z.string(),
      files: z.array(z.string()),
    }),
    /** `against`: tasks merged earlier that changed these files. */
    z.object({
      type: z.literal('merge.conflicted'),
      task,
      attempt,
      files: z.array(z.string()),
      against: z.array(z.string()),
      /** The first places that both sides changed; the line is that of the file with markers. Absent in older journals. */
      hunks: z
        .array(
          z.object({
            path: z.string(),
            line: z.number().int(),
            session: z.array(z.string()),
            task: z.array(z.string()),
          }),
        )
        .optional(),
    }),
    z.object({
      type: z.literal('merge.refused'),
      task,
      attempt,
      reason: z.string(),
      /** Conflict markers are left: the conflict still waits. */
      unresolved: z.literal(true).optional(),
      /** A fingerprint of the change of git's configuration, or of the branch, that it tells of. */
      unaccepted: z.string().optional(),
    }),
    /** It conflicts with merges before it that are not verified yet: it waits until they are, or are gone. */
    z.object({ type: z.literal('merge.deferred'), task, attempt }),
    /** The task's `verify` passed on the merge, which the session's branch does not hold yet. */
    z.object({ type: z.literal('merge.verified'), task, attempt, invocation }),
    /** Git moves the session's branch to the verified merge. */
    z.object({ type: z.literal('landing.started'), task, attempt }),
    z.object({ type: z.literal('merge.landed'), task, attempt }),
    /** The branch is not where the merge began: it is made again, with those behind it. */
    z.object({ type: z.literal('landing.refused'), task, attempt, reason: z.string() }),
    /** The task's `verify` failed on the merge. Those behind it are merged again without it. Without an invocation: a person settled the task otherwise before it had passed. */
    z.object({
      type: z.literal('merge.rejected'),
      task,
      attempt,
      invocation: invocation.optional(),
      reason: z.string(),
      cause: failureCauseSchema.optional(),
      /** Nothing of others was in the merge: the next attempt continues where this one ended. */
      alone: z.literal(true).optional(),
    }),
    z.object({ type: z.literal('merge.taken-back'), task, attempt }),
  ] as const;

/** The end of the branch. */
const endEvents = () =>
  [
    z.object({ type: z.literal('worktree.removed'), task, attempt }),
    z.object({ type: z.literal('finish.started'), how: finishSchema }),
    z.object({
      type: z.literal('changes.finished'),
      how: finishSchema,
      branch: z.string(),
      commit: z.string().optional(),
      /** What a person runs for a pull request. */
      commands: z.array(z.string()).optional(),
      /** The repository has no remote that they could push to. */
      no_remote: z.boolean().optional(),
      /** Ignored files of the workspace that a merge of the branch would overwrite. */
      in_the_way: z.array(z.string()).optional(),
      /** Changed and new files of the workspace that keep git from merging the branch. */
      unsaved: z.array(z.string()).optional(),
      /** What a person runs to take the kept branch, where that is more than a merge. */
      take: z.array(z.string()).optional(),
    }),
    /** `unseen`: a person has to look at what it names first. `state`: a fingerprint of that. */
    z.object({
      type: z.literal('finish.refused'),
      reason: z.string(),
      unseen: z.boolean().optional(),
      state: z.string().optional(),
    }),
    /** `worktree.teardown` runs where merges were verified, before the session stops. */
    z.object({ type: z.literal('teardown.started') }),
    z.object({ type: z.literal('teardown.ended') }),
  ] as const;

/** What a person takes back. */
const undoEvents = () =>
  [
    /** A person asks the running session to take work back, or to bring it again. It does so when nothing else would move the same files. */
    z.object({ type: z.literal('undo.asked'), ...turn, signal: z.string() }),
    /** Git may do it now. */
    z.object({ type: z.literal('undo.granted'), ...turn }),
    z.object({ type: z.literal('undo.refused'), ...turn, reason: z.string() }),
    /** A person takes work back, or brings it again: from here to the next two facts the files may be half moved. */
    z.object({
      type: z.literal('undo.started'),
      ...turn,
      files: z.array(z.string()),
      /** `undo`: the patch file that holds the work. */
      patch: z.string().optional(),
    }),
    /** A person took merged or recorded work back. */
    z.object({
      type: z.literal('changes.undone'),
      task,
      /** Names of attempts, as in `ChangesState.attempts`. */
      attempts: z.array(z.string()),
      files: z.array(z.string()),
      /** The patch file that holds the work. */
      patch: z.string(),
    }),
    z.object({
      type: z.literal('changes.redone'),
      task,
      attempts: z.array(z.string()),
      files: z.array(z.string()),
    }),
  ] as const;

/** What becomes of the changes of an attempt. */
export const changesEvents = late(
  () => [...workEvents(), ...mergeEvents(), ...endEvents(), ...undoEvents()] as const,
);

export type ChangesEventType = z.infer<ReturnType<typeof changesEvents>[number]>['type'];
