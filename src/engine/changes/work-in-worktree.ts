import type { Brief, RoleEnd } from '../../agents/port.ts';
import { type Fault, FaultError } from '../../base/fault.ts';
import { printedCommand } from '../../base/process/printed-command.ts';
import type { Prepared, SessionChanges, Start } from '../../changes/port.ts';
import { isIsolated } from '../../pipeline/isolated.ts';
import { reading, streamOf } from '../../pipeline/modes/flow/flow-tasks.ts';
import type { Core } from '../core.ts';
import type { Active } from '../invocation/active.ts';
import { failedWith } from '../invocation/invocation-facts.ts';
import type { Worktrees } from '../invocation/worktrees.ts';
import { isOfModel } from '../is-of-model.ts';
import type { OpenChanges } from '../open-changes.ts';
import { tellProblem } from '../tell-problem.ts';
import { attemptOf, record, recorded, recordSnapshot, say, takeSnapshot } from './attempt-record.ts';
import { type Beside, createBeside } from './beside.ts';
import { mergedFiles } from './merged-files.ts';
import { permanent } from './open-changes.ts';
import { enterProof, inPlace, isProof, leaveProof, odd, setUpFailed } from './prove-in-check-tree.ts';
import { createSharedRecords } from './record-in-shared.ts';

/** Worktrees where the session has them; the others are only recorded. */
export const createWorktrees = (core: Core, open: OpenChanges): Worktrees => {
  const shared = createSharedRecords(core, open);
  const place: Place = { core, open, beside: createBeside(core) };
  return {
    enter: (active, brief, setup) =>
      open.during(
        isIsolated(core.loop.state())
          ? enter(place, active, brief, setup)
          : shared.enter(active, brief, setup),
      ),
    leave: (active, brief, end) =>
      open.during(
        isIsolated(core.loop.state()) ? leave(place, active, brief, end) : shared.leave(active, brief, end),
      ),
  };
};

interface Place {
  readonly core: Core;
  readonly open: OpenChanges;
  readonly beside: Beside;
}

const enter = async (place: Place, active: Active, brief: Brief, setup: SetUp): Promise<Brief | Fault> => {
  const { core, open, beside } = place;
  beside.begin(brief);
  if (!places.has(brief.mode)) return lookAtMerged(place, brief);
  const changes = await open.get(streamFor(core, brief));
  if ('code' in changes) return changes;
  if (brief.mode === 'SESSION_REVIEW') {
    const workspace = await sessionFiles(changes, brief);
    return changes.worktree === null ? { ...brief, workspace } : { ...brief, workspace, reads: workspace };
  }
  if (isProof(brief)) return enterProof(core, active, brief, changes, setup);
  const works = brief.mode === 'IMPLEMENT';
  const start = works ? await startOf(place, active, brief, changes) : undefined;
  const prepared = await prepare(core, active, brief, changes, start);
  if ('code' in prepared) return prepared;
  const placed = inPlace(brief, prepared);
  const fault = await setUp(core, active, placed, prepared, setup);
  if (fault !== null) return fault;
  if (brief.phase === 'merge') return placed;
  if (!works) return withAllThatMerges(placed, changes);
  if (recorded(core, brief)?.before) return placed;
  return (await snapshot(core, active, brief, changes, { moment: 'before' })) ?? placed;
};

type SetUp = Parameters<Worktrees['enter']>[2];

/**
 * Runs `worktree.setup` in a worktree where it has not run yet: a new one, one that somebody removed and that was made again, and that of an attempt which a
 * runner worked on, when it is reviewed here. A runner sets up the work tree that it makes.
 */
const setUp = async (
  core: Core,
  active: Active,
  placed: Brief,
  { existed }: Prepared,
  setup: SetUp,
): Promise<Fault | null> => {
  if (placed.settings.worktree.setup.length === 0 || placed.runner !== undefined) return null;
  if (existed && recorded(core, placed)?.isSetUp) return null;
  const failed = await setup(placed);
  if (failed !== null) return setUpFailed(placed, failed);
  record(core, active, {
    type: 'worktree.set-up',
    task: placed.task?.id ?? '',
    attempt: placed.attempt ?? 1,
  });
  return null;
};

const leave = async (place: Place, active: Active, brief: Brief, end: RoleEnd): Promise<RoleEnd> => {
  const { core, open, beside } = place;
  if (isProof(brief)) return leaveProof(core, brief, await open.get(streamFor(core, brief)), end);
  if (brief.mode !== 'IMPLEMENT') return end;
  if (end.kind === 'outcome' && end.outcome.status === 'paused') return end;
  const changes = await open.get(streamFor(core, brief));
  if ('code' in changes) return end;
  if (core.options.disk.lstat(brief.workspace)?.kind !== 'directory') return { kind: 'failed', fault: gone };
  const claimed = end.kind === 'outcome' && end.outcome.role === 'Executor' ? end.outcome.files_modified : [];
  const after = { moment: 'after', beside: beside.of(brief), claimed } as const;
  const fault = await snapshot(core, active, brief, changes, after);
  // Its worktree was in order when it began: what is wrong now is its own doing, and the next attempt gets another worktree.
  if (fault !== null) return failedWith(end, `its worktree cannot be recorded: ${fault.what}`);
  const seen = recorded(core, brief);
  if (end.kind !== 'outcome' || end.outcome.role !== 'Executor' || !seen?.before || !seen.after) return end;
  const files = await changes.changedFiles({ from: seen.before, to: seen.after });
  if (!files.ok) return failedWith(end, `its changes cannot be read: ${files.fault.what}`);
  const changed = files.value.flatMap(({ path, from }) => (from === null ? [path] : [from, path]));
  return { ...end, outcome: { ...end.outcome, files_modified: changed } };
};

/** Nothing tells who removed it, the agent or a program beside it: the work begins again in a new worktree, as often as a call is tried. */
const gone: Fault = { code: 'worktree-gone', what: 'its worktree was removed while it worked' };

const streamFor = ({ loop }: Core, { task }: Brief): string | null =>
  task === undefined ? null : streamOf(loop.state(), task.id);

/** Takes the snapshot unless the journal holds it: a resumed or repeated call is still the same attempt. */
const snapshot = async (
  core: Core,
  active: Active,
  brief: Brief,
  changes: SessionChanges,
  which: {
    readonly moment: 'before' | 'after';
    readonly number?: number;
    readonly beside?: readonly string[];
    readonly claimed?: readonly string[];
  },
): Promise<Fault | null> => {
  if (which.moment === 'before' && recorded(core, brief, which.number)?.before) return null;
  const taken = await takeSnapshot(core, brief, changes, { ...which, odd });
  if (!taken.ok) return permanent(taken.fault);
  recordSnapshot(core, active, brief, { ...which, commit: taken.value.commit });
  return null;
};

/**
 * An attempt starts where the one before ended; after a merge, or a conflict, at what is merged. So do commands that run once more: on a tree
 * that they had half changed, they would fail for good (`git mv` twice).
 */
const startOf = async (
  { core, beside }: Place,
  active: Active,
  brief: Brief,
  changes: SessionChanges,
): Promise<Start> => {
  // A phase that only reads leaves no work to build on.
  if (brief.phase !== undefined && reading.has(brief.phase)) return { from: 'session' };
  const before = (brief.attempt ?? 1) - 1;
  const last = recorded(core, brief, before);
  const task = core.loop.state().tasks.get(brief.task?.id ?? '');
  if (!last?.directory || last.merged || task?.afresh) return { from: 'session' };
  // A crash or a stop may have come before its end was recorded.
  if (
    last.after === null &&
    (await snapshot(core, active, brief, changes, {
      moment: 'after',
      number: before,
      beside: beside.of(brief, before),
    })) !== null
  )
    return { from: 'session' };
  if (isOfModel(core, brief.invocation)) return { from: 'attempt', attempt: before };
  await sayWhatIsLeft(core, brief, changes, before);
  return { from: 'session' };
};

const sayWhatIsLeft = async (
  core: Core,
  brief: Brief,
  changes: SessionChanges,
  number: number,
): Promise<void> => {
  const last = recorded(core, brief, number);
  if (!last?.before || !last.after) return;
  const left = await changes.changedFiles({ from: last.before, to: last.after });
  if (left.ok && left.value.length === 0) return;
  const { id } = brief.task ?? { id: '' };
  const what = `${id} starts over, because its commands would otherwise run on the half-done work of attempt ${number}`;
  const hint = `it is kept in ${last.directory} until ${id} is done; \`ralph-tui diff ${printedCommand(id)} --attempt ${number}\` shows it`;
  tellProblem(core, { code: 'begun-afresh', what, hint });
};

const prepare = async (
  core: Core,
  active: Active,
  brief: Brief,
  changes: SessionChanges,
  start: Start | undefined,
): Promise<Prepared | Fault> => {
  const prepared = await changes.prepare(attemptOf(brief), start);
  if (!prepared.ok) return permanent(prepared.fault);
  const { directory, branch, problems } = prepared.value;
  say(core, odd, problems);
  if (recorded(core, brief)?.directory !== directory)
    record(core, active, {
      type: 'worktree.prepared',
      task: brief.task?.id ?? '',
      attempt: brief.attempt ?? 1,
      invocation: brief.invocation,
      directory,
      branch: branch ?? '',
    });
  return prepared.value;
};

/** Roles without a task plan and collect from what is merged. The next merge removes what they leave there. */
const lookAtMerged = async ({ core, open }: Place, brief: Brief): Promise<Brief> => {
  if (core.loop.state().changes.merges === 0 || brief.mode === 'PROMOTE') return brief;
  const changes = await open.get();
  if ('code' in changes || changes.worktree === null) return brief;
  return { ...brief, reads: await sessionFiles(changes, brief) };
};

/** The session's own worktree, with all that is merged. */
const sessionFiles = async (changes: SessionChanges, { workspace }: Brief): Promise<string> => {
  const shown = await changes.showBranch();
  if (!shown.ok) throw new FaultError(shown.fault);
  return changes.worktree?.directory ?? workspace;
};

/** A second attempt that started from the first is merged with what that one did: the Reviewer judges both. */
const withAllThatMerges = async (brief: Brief, changes: SessionChanges): Promise<Brief | Fault> => {
  if ((brief.attempt ?? 1) === 1) return brief;
  const changed = await mergedFiles(changes, attemptOf(brief));
  return changed.ok ? { ...brief, changed: changed.value } : permanent(changed.fault);
};

/** Modes that work on, or look at, what tasks changed. */
const places: ReadonlySet<string> = new Set(['IMPLEMENT', 'TASK_REVIEW', 'SESSION_REVIEW']);
