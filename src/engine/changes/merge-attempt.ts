import { formatFault } from '../../base/fault.ts';
import { type ConflictHunk, conflictHunks, firstHunks } from '../../changes/conflict-hunks.ts';
import type { Conflict as ConflictInFiles, Merged } from '../../changes/merged.ts';
import type { Attempt, SessionChanges } from '../../changes/port.ts';
import type { ChangesStep, Conflict } from '../../pipeline/changes/changes-state.ts';
import { attemptKey, gitAttempt } from '../../pipeline/changes/changes-state.ts';
import type { EventBody } from '../../pipeline/event.ts';
import type { SessionState } from '../../pipeline/state.ts';
import type { Core } from '../core.ts';
import { tellProblem } from '../tell-problem.ts';
import { whyAsked } from './why-asked.ts';

type MergeStep = Extract<ChangesStep, { kind: 'merge' }>;

/** The merge that the next one is made on; `null`: what the session's branch holds. The streams of a flow have branches of their own. */
const tailOf = ({ mode, iteration, changes: { train, attempts } }: SessionState): string | null => {
  const last = mode === 'flow' ? undefined : train.at(-1);
  return last === undefined
    ? null
    : (attempts.get(attemptKey(iteration, last.task, last.attempt))?.merged ?? null);
};

/** Commits an attempt and merges it onto the merge before it. A refusal, a conflict and a merge that a person must see first are facts, not faults. */
export const merge = async (core: Core, changes: SessionChanges, step: MergeStep): Promise<EventBody> => {
  const named = gitAttempt(core.loop.state().iteration, step.task, step.attempt);
  const onto = tailOf(core.loop.state());
  if (step.take !== null)
    return merged(core, changes, step, named, await changes.resolve(named, { take: step.take }, { onto }));
  const committed = await changes.commit(named, messageOf(core, step));
  if (!committed.ok) return refused(step, formatFault(committed.fault));
  const unaccepted = stuckOn(core, step)?.unaccepted ?? null;
  if (step.anyway && unaccepted !== null) await changes.acceptConfiguration(unaccepted);
  // The merge is no more than objects before it lands: it is made while the attempt is looked at.
  const [result, reason] = await Promise.all([
    changes.merge(named, { onto }),
    step.anyway ? null : whyAsked(core, changes, { step, named, committed: committed.value }),
  ]);
  if (reason !== null) return refused(step, reason);
  return result.kind === 'conflict' && onto !== null
    ? { type: 'merge.deferred', task: step.task, attempt: step.attempt }
    : merged(core, changes, step, named, result);
};

/** What a person was last told of the merge of this attempt. */
const stuckOn = ({ loop }: Core, { task, attempt }: Attempt): Conflict | null => {
  const { iteration, changes } = loop.state();
  return changes.attempts.get(attemptKey(iteration, task, attempt))?.conflict ?? null;
};

const merged = async (
  core: Core,
  changes: SessionChanges,
  { task, attempt }: MergeStep,
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
      if (!opened.ok) tellProblem(core, opened.fault);
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
        ...(result.unaccepted === undefined ? {} : { unaccepted: result.unaccepted }),
      };
  }
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
  const { session, iteration, tasks } = loop.shown();
  const title = tasks.get(task)?.definition.title.trim() || task;
  return `${title}\n\nTask: ${task}\nSession: ${session}, iteration ${iteration}, attempt ${attempt}`;
};
