import { type Fault, FaultError, formatFault, toFault } from '../../base/fault.ts';
import { movedCode } from '../../changes/own-refs.ts';
import type { SessionChanges, Undone } from '../../changes/port.ts';
import type { ChangesStep, Turn, Way } from '../../pipeline/changes/changes-state.ts';
import { attemptKey, gitAttempt } from '../../pipeline/changes/changes-state.ts';
import { attemptsToClean } from '../../pipeline/changes/worktrees.ts';
import type { EventBody } from '../../pipeline/event.ts';
import { streamOf } from '../../pipeline/modes/flow/flow-tasks.ts';
import { isDeclared } from '../../tasks/task-files.ts';
import type { Core } from '../core.ts';
import type { OpenChanges } from '../open-changes.ts';
import { tellProblem } from '../tell-problem.ts';
import { finish } from './finish-session.ts';
import { merge } from './merge-attempt.ts';
import { createStepQueue } from './step-queue.ts';
import { tearDown, tearDownCheck } from './tear-down.ts';
import { turnWork, workOf } from './turn-work.ts';

/** Git's part of merging, of taking back, of the end and of cleaning up, one after another. */
export interface ChangesSteps {
  take(step: ChangesStep): void;
  /** Removes the worktrees of a done task. */
  remove(task: string): void;
  /** Removes the session's own worktree. */
  close(): void;
}

/** `turned`: reports how an undo or redo ended. */
export const createChangesSteps = (
  core: Core,
  open: OpenChanges,
  turned: (action: string) => void,
): ChangesSteps => {
  const context: Context = { core, open, turned };
  const { queue, queueLast } = createStepQueue((work) =>
    open.during(
      work.catch((error: unknown) => blocked(context, toFault(error, 'the changes of the session'))),
    ),
  );
  return {
    // The fate of the worktrees is said before the session ends.
    take: (step) =>
      step.kind === 'finish' || step.kind === 'tear-down'
        ? queueLast(() => queue(() => take(context, step)))
        : void queue(() => take(context, step)),
    // The attempts of this moment: the task may have been opened again when its turn comes.
    remove: (task) => {
      const state = core.loop.state();
      const attempts = attemptsToClean(state, task);
      queueLast(() => remove(context, task, state.iteration, attempts));
    },
    close: () => queueLast(() => queue(() => close(context))),
  };
};

interface Context {
  readonly core: Core;
  readonly open: OpenChanges;
  readonly turned: (action: string) => void;
}

const take = async (context: Context, step: ChangesStep): Promise<void> => {
  const { core, open } = context;
  if (step.kind === 'tear-down') {
    await close(context);
    return commit(context, { type: 'teardown.ended' });
  }
  const changes = await open.get('task' in step ? streamOf(core.loop.state(), step.task) : null);
  if ('code' in changes) return blocked(context, changes);
  switch (step.kind) {
    case 'merge':
      return commit(context, await merge(core, changes, step));
    case 'finish':
      return commit(context, await finish(core, changes, step.how));
    case 'turn':
      return turn(context, changes, step);
    case 'land':
      commit(context, await land(core, changes, step));
      // Readers of the files wait for them (`showBranch`); the next task does not.
      void open.during(showBranch(context, changes));
      return;
    case 'take-back': {
      const { task, attempt } = step;
      const back = await changes.takeBack(gitAttempt(core.loop.state().iteration, task, attempt));
      return back.ok
        ? commit(context, { type: 'merge.taken-back', task, attempt })
        : blocked(context, back.fault);
    }
  }
};

/** An undo or redo that a person asked for. A refusal changes nothing and stops nothing. */
const turn = async (
  { core, turned }: Context,
  changes: SessionChanges,
  { way, task, attempt }: Turn,
): Promise<void> => {
  const { loop } = core;
  const work = await workOf(way, changes, loop.state(), { task, attempt });
  const done = work.ok
    ? await turnWork(way, changes, loop.state(), work.value, (body) => {
        commit({ core }, body);
        // A crash after it is completed by the next start.
        return loop.flush();
      })
    : work;
  if (!done.ok)
    commit(
      { core },
      {
        type: 'undo.refused',
        way,
        task,
        ...(attempt === null ? {} : { attempt }),
        reason: formatFault(done.fault),
      },
    );
  if (loop.isOpen())
    loop.run(() =>
      turned(
        done.ok ? turnedWords(way, task, done.value) : `nothing was changed: ${formatFault(done.fault)}`,
      ),
    );
};

const turnedWords = (way: Way, task: string, { files, patch }: Undone): string =>
  `${way === 'undo' ? 'undone' : 'brought back'}: ${task}, ${files.join(', ')}${patch === null ? '' : `; patch: ${patch}`}`;

const remove = async (
  { core, open }: Context,
  task: string,
  iteration: number,
  attempts: readonly number[],
): Promise<void> => {
  const changes = await open.get(streamOf(core.loop.state(), task));
  if ('code' in changes) return;
  const results = unmergedResults(core, task);
  for (const attempt of attempts) {
    const cleaned = await changes.clean(
      gitAttempt(iteration, task, attempt),
      tearDown(core, { task, attempt }),
      results,
    );
    if (cleaned.ok) commit({ core }, { type: 'worktree.removed', task, attempt });
    else tellProblem(core, cleaned.fault);
  }
};

/** What the task declares as its files, and what no merge of it brought. */
const unmergedResults = ({ loop }: Core, id: string): readonly string[] => {
  const { definition, changed = [] } = loop.state().tasks.get(id) ?? {};
  return (definition?.files ?? []).filter(
    (file) => !changed.some((path) => isDeclared({ files: [file] }, path)),
  );
};

const close = async ({ core, open }: Context): Promise<void> => {
  const fault = await open.close(tearDownCheck(core));
  if (fault !== null) tellProblem(core, fault);
};

const commit = ({ core: { loop } }: Pick<Context, 'core'>, body: EventBody): void => {
  if (loop.isOpen()) loop.run(() => loop.commit(body));
};

const blocked = ({ core }: Context, fault: Fault): void => {
  if (core.loop.isOpen()) core.block(fault);
};

/** Moves the session's branch to a verified merge. */
const land = async (
  core: Core,
  changes: SessionChanges,
  { task, attempt }: Extract<ChangesStep, { kind: 'land' }>,
): Promise<EventBody> => {
  const state = core.loop.state();
  const { merged, mergedOnto } = state.changes.attempts.get(attemptKey(state.iteration, task, attempt)) ?? {};
  const refuse = (reason: string): EventBody => ({ type: 'landing.refused', task, attempt, reason });
  if (!merged || !mergedOnto) return refuse('its merge is not known');
  const named = gitAttempt(state.iteration, task, attempt);
  const landed = await changes.land(named, { before: mergedOnto, commit: merged });
  // The documents of a flow are looked for there.
  if (landed.ok && state.mode === 'flow') await changes.showBranch();
  if (landed.ok) return { type: 'merge.landed', task, attempt };
  if (landed.fault.code !== movedCode) throw new FaultError(landed.fault);
  return refuse(formatFault(landed.fault));
};

const showBranch = async (context: Context, changes: SessionChanges): Promise<void> => {
  try {
    const shown = await changes.showBranch();
    if (!shown.ok) tellProblem(context.core, shown.fault);
  } catch (error) {
    blocked(context, toFault(error, 'the changes of the session'));
  }
};
