import { type Fault, formatFault, toFault } from '../../base/fault.ts';
import { type ConflictHunk, conflictHunks, firstHunks } from '../../changes/conflict-hunks.ts';
import type { Conflict as ConflictInFiles, Merged } from '../../changes/merged.ts';
import type { Attempt, SessionChanges } from '../../changes/port.ts';
import type { ChangesStep } from '../../pipeline/changes/changes-state.ts';
import { gitAttempt } from '../../pipeline/changes/changes-state.ts';
import { attemptsToClean } from '../../pipeline/changes/worktrees.ts';
import type { EventBody } from '../../pipeline/event.ts';
import { streamOf } from '../../pipeline/modes/flow/flow-tasks.ts';
import type { Core } from '../core.ts';
import { finish } from './finish-session.ts';
import type { OpenChanges } from './open-changes.ts';
import { whyAsked } from './why-asked.ts';

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
    if (step.anyway) await changes.acceptConfiguration();
    else {
      const reason = await whyAsked(core, changes, { step, named, committed: committed.value });
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

  const take = async (step: ChangesStep): Promise<void> => {
    const changes = await open.get('task' in step ? streamOf(loop.state(), step.task) : null);
    if ('code' in changes) return blocked(changes);
    switch (step.kind) {
      case 'merge':
        return commit(await merge(changes, step));
      case 'finish':
        return commit(await finish(core, changes, step.how));
      case 'take-back': {
        const { task, attempt } = step;
        const back = await changes.takeBack(gitAttempt(loop.state().iteration, task, attempt));
        return back.ok ? commit({ type: 'merge.taken-back', task, attempt }) : blocked(back.fault);
      }
    }
  };

  const remove = async (task: string, iteration: number, attempts: readonly number[]): Promise<void> => {
    const changes = await open.get(streamOf(loop.state(), task));
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

const messageOf = ({ loop }: Core, { task, attempt }: Attempt): string => {
  const { session, iteration, tasks } = loop.state();
  const title = tasks.get(task)?.definition.title.trim() || task;
  return `${title}\n\nTask: ${task}\nSession: ${session}, iteration ${iteration}, attempt ${attempt}`;
};
