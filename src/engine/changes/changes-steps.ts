import { join } from 'node:path';
import { type Fault, formatFault, toFault } from '../../base/fault.ts';
import { printedCommand } from '../../base/process/printed-command.ts';
import { type ConflictHunk, conflictHunks, firstHunks } from '../../changes/conflict-hunks.ts';
import type { Conflict as ConflictInFiles, Merged } from '../../changes/merged.ts';
import type { Attempt, Finish, Finished, SessionChanges } from '../../changes/port.ts';
import type { Result } from '../../changes/result.ts';
import type { ChangesStep, FinishHow } from '../../pipeline/changes/changes-state.ts';
import { attemptKey, gitAttempt } from '../../pipeline/changes/changes-state.ts';
import { finishMessage, finishTitle } from '../../pipeline/changes/finish-message.ts';
import { attemptsToClean } from '../../pipeline/changes/worktrees.ts';
import type { EventBody } from '../../pipeline/event.ts';
import type { Core } from '../core.ts';
import type { OpenChanges } from './open-changes.ts';

/** Git's part of merging, of taking back, of the end and of cleaning up, one after another. */
export interface ChangesSteps {
  take(step: ChangesStep): void;
  /** Removes the worktrees of a done task. */
  remove(task: string): void;
  /** Removes the session's own worktree. */
  close(): void;
}

export const createChangesSteps = (core: Core, open: OpenChanges): ChangesSteps => {
  const { loop } = core;
  let last: Promise<void> = Promise.resolve();
  let steps = 0;
  let removals: Promise<void> = Promise.resolve();

  const commit = (body: EventBody): void => {
    if (loop.isOpen()) loop.run(() => loop.commit(body));
  };

  const after = (before: Promise<void>, work: () => Promise<void>): Promise<void> =>
    open.during(
      before.then(work).catch((error: unknown) => {
        if (loop.isOpen()) core.block(toFault(error, 'the changes of the session'));
      }),
    );

  const queue = (work: () => Promise<void>): Promise<void> => {
    steps += 1;
    last = after(last, work).finally(() => {
      steps -= 1;
    });
    return last;
  };

  /** Removals begin when no step waits: they take long where there are many files. */
  const queueLast = (work: () => Promise<void>): void => {
    removals = after(removals, async () => {
      while (steps > 0) await last;
      await work();
    });
  };

  const blocked = (fault: Fault): void => {
    if (loop.isOpen()) core.block(fault);
  };

  const merge = async (
    changes: SessionChanges,
    step: Extract<ChangesStep, { kind: 'merge' }>,
  ): Promise<EventBody> => {
    const { task, attempt } = step;
    const named = gitAttempt(loop.state().iteration, task, attempt);
    if (step.take !== null)
      return merged(changes, step, named, await changes.resolve(named, { take: step.take }));
    const committed = await changes.commit(named, messageOf(core, step));
    if (!committed.ok) return refused(step, formatFault(committed.fault));
    const { repositories } = committed.value;
    if (step.anyway) await changes.acceptConfiguration();
    else if (repositories.length > 0) return refused(step, repositoriesSentence(repositories, core, step));
    else {
      const reason = largeFiles(core, step) ?? (await secretsIn(changes, named));
      if (reason !== null) return refused(step, reason);
    }
    return merged(changes, step, named, await changes.merge(named));
  };

  const merged = async (
    changes: SessionChanges,
    { task, attempt }: Extract<ChangesStep, { kind: 'merge' }>,
    named: Attempt,
    result: Merged,
  ): Promise<EventBody> => {
    switch (result.kind) {
      case 'merged': {
        const { commit: id, before, files } = result;
        return { type: 'attempt.merged', task, attempt, before, commit: id, files: [...files] };
      }
      case 'conflict': {
        // A person may resolve it there; the other ways do not need it.
        const opened = await changes.openConflict(named);
        if (!opened.ok && loop.isOpen()) loop.run(() => core.problem(opened.fault));
        const files = result.conflict.files.map(({ path }) => path);
        const against = [...result.conflict.against];
        const hunks = (await hunksOf(changes, result.conflict)).map((hunk) => ({
          ...hunk,
          session: [...hunk.session],
          task: [...hunk.task],
        }));
        return { type: 'merge.conflicted', task, attempt, files, against, hunks };
      }
      case 'refused':
        return {
          ...refused({ task, attempt }, result.reason),
          ...(result.unresolved ? { unresolved: true } : {}),
        };
    }
  };

  /** The person read this very sentence about a changed configuration or hook, and said merge again. */
  const isSeen = (done: Result<Finished>): boolean =>
    !done.ok &&
    done.fault.code === 'configuration-changed' &&
    loop.state().changes.unfinished?.reason === `${formatFault(done.fault)}.`;

  const finishAnyway = async (changes: SessionChanges, wish: Finish): Promise<Result<Finished>> => {
    const accepted = await changes.acceptConfiguration();
    return accepted.ok ? changes.finish(wish) : accepted;
  };

  const finish = async (
    changes: SessionChanges,
    { how }: Extract<ChangesStep, { kind: 'finish' }>,
  ): Promise<EventBody> => {
    const wish = await finishOf(core, how);
    if (typeof wish === 'string') return { type: 'finish.refused', reason: wish };
    const first = await changes.finish(wish);
    const done = isSeen(first) ? await finishAnyway(changes, wish) : first;
    if (!done.ok) return { type: 'finish.refused', reason: `${formatFault(done.fault)}.` };
    const { value } = done;
    const branch = changes.worktree?.branch ?? value.branch;
    if (value.how === 'merged') return { type: 'changes.finished', how, branch, commit: value.commit };
    if (value.how === 'kept') return { type: 'changes.finished', how, branch };
    return {
      type: 'changes.finished',
      how,
      branch,
      commands: value.commands.map((words) => printedCommand(...words)),
    };
  };

  const take = async (step: ChangesStep): Promise<void> => {
    const changes = await open.get();
    if ('code' in changes) return blocked(changes);
    switch (step.kind) {
      case 'merge':
        return commit(await merge(changes, step));
      case 'finish':
        return commit(await finish(changes, step));
      case 'take-back': {
        const { task, attempt } = step;
        const back = await changes.takeBack(gitAttempt(loop.state().iteration, task, attempt));
        return back.ok ? commit({ type: 'merge.taken-back', task, attempt }) : blocked(back.fault);
      }
    }
  };

  const remove = async (task: string, iteration: number, attempts: readonly number[]): Promise<void> => {
    const changes = await open.get();
    if ('code' in changes) return;
    for (const attempt of attempts) {
      const cleaned = await changes.clean(gitAttempt(iteration, task, attempt));
      if (cleaned.ok) commit({ type: 'worktree.removed', task, attempt });
      else if (loop.isOpen()) loop.run(() => core.problem(cleaned.fault));
    }
  };

  const close = async (): Promise<void> => {
    const fault = await open.close();
    if (fault !== null && loop.isOpen()) loop.run(() => core.problem(fault));
  };

  return {
    // What becomes of the worktrees is said before the session ends.
    take: (step) =>
      step.kind === 'finish' ? queueLast(() => queue(() => take(step))) : void queue(() => take(step)),
    // The attempts of this moment: the task may have been opened again when its turn comes.
    remove: (task) => {
      const state = loop.state();
      const attempts = attemptsToClean(state, task);
      queueLast(() => remove(task, state.iteration, attempts));
    },
    close: () => queueLast(() => queue(close)),
  };
};

/** The first places that both sides changed, for the question about them. A file that cannot be read shows none. */
const hunksOf = async (
  changes: SessionChanges,
  { files }: ConflictInFiles,
): Promise<readonly ConflictHunk[]> => {
  const hunks: ConflictHunk[] = [];
  for (const { path, marked } of files) {
    const read = marked === null ? null : await changes.readBlob(marked.blob);
    if (read?.ok) hunks.push(...conflictHunks(path, new TextDecoder().decode(read.value)));
  }
  return firstHunks(hunks);
};

const refused = ({ task, attempt }: Attempt, reason: string): EventBody => ({
  type: 'merge.refused',
  task,
  attempt,
  reason,
});

/** The merge would be without the files of these repositories: of each, git records the name of a commit at most. */
const repositoriesSentence = (
  repositories: readonly string[],
  { loop }: Core,
  { task, attempt }: Attempt,
): string => {
  const { iteration, changes } = loop.state();
  const place = changes.attempts.get(attemptKey(iteration, task, attempt))?.directory ?? 'its worktree';
  const [one = '', ...others] = repositories;
  const more = repositories.length > 3 ? ` and ${repositories.length - 3} more` : '';
  const what =
    others.length === 0
      ? `${one} is a git repository of its own, whose files`
      : `${repositories.slice(0, 3).join(', ')}${more} are git repositories of their own, whose files`;
  return `${what} a merge would leave behind. They stay in ${place}. To merge them as files, remove the .git in there first.`;
};

/** A commit of this many bytes is asked about: what is merged stays in the history for good. */
const largestCommit = 100 * 1_048_576;

/** The size of the files that the attempt changed, in one sentence, when a person should look at it; else `null`. */
const largeFiles = ({ loop, options }: Core, { task, attempt }: Attempt): string | null => {
  const { iteration, changes, tasks } = loop.state();
  const directory = changes.attempts.get(attemptKey(iteration, task, attempt))?.directory ?? null;
  if (directory === null) return null;
  const sizes = (tasks.get(task)?.changed ?? [])
    .map((path) => ({ path, size: options.disk.lstat(join(directory, path))?.size ?? 0 }))
    .sort((a, b) => b.size - a.size);
  const all = sizes.reduce((sum, { size }) => sum + size, 0);
  if (all < largestCommit) return null;
  return `its commit would hold ${Math.round(all / 1_048_576)} MB, the most in ${sizes[0]?.path ?? ''}.`;
};

/** The added lines of the merge that look like secrets, as `a.ts:3`, in one sentence; the fault when they cannot be read; `null` when there are none. */
const secretsIn = async (changes: SessionChanges, named: Attempt): Promise<string | null> => {
  const ranges = await changes.ranges({ of: 'merge', ...named });
  if (!ranges.ok) return `${formatFault(ranges.fault)}.`;
  const found: string[] = [];
  for (const range of ranges.value) {
    const secrets = await changes.findSecrets(range);
    if (!secrets.ok) return `${formatFault(secrets.fault)}.`;
    found.push(...secrets.value.map(({ path, line }) => `${path}:${line}`));
  }
  if (found.length === 0) return null;
  return `${found.join(', ')} ${found.length === 1 ? 'looks' : 'look'} like a secret.`;
};

const messageOf = ({ loop }: Core, { task, attempt }: Attempt): string => {
  const { session, iteration, tasks } = loop.state();
  const title = tasks.get(task)?.definition.title.trim() || task;
  return `${title}\n\nTask: ${task}\nSession: ${session}, iteration ${iteration}, attempt ${attempt}`;
};

/** The wish in the words of git, or the reason why it cannot be. */
const finishOf = async ({ options, loop }: Core, how: FinishHow): Promise<Finish | string> => {
  if (how === 'keep') return { how };
  if (how === 'pull-request') return { how, title: finishTitle(loop.state()) };
  const examined = await options.changes?.examine(options.paths.workspace);
  const into = examined?.repository?.branch ?? null;
  if (into === null) return 'no branch is checked out in the workspace: check one out, or keep the branch.';
  return { how, into, message: finishMessage(loop.state()) };
};
