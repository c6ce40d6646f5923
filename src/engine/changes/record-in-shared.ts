import type { Brief } from '../../agents/port.ts';
import type { Fault } from '../../base/fault.ts';
import type { SessionChanges, Snapshot } from '../../changes/port.ts';
import type { Result } from '../../changes/result.ts';
import { type AttemptChanges, attemptKey, gitAttempt } from '../../pipeline/changes/changes-state.ts';
import type { EventBody } from '../../pipeline/event.ts';
import { isDeclared } from '../../tasks/overlapping-files.ts';
import type { TaskId } from '../../tasks/task.ts';
import type { Core } from '../core.ts';
import type { Active } from '../invocation/active.ts';
import type { OpenChanges } from './open-changes.ts';
import type { Worktrees } from './worktrees.ts';

/**
 * Records attempts of tasks that share the workspace. Git tells which files changed. Those that no other task can have changed are the attempt's:
 * all when it ran alone, else the ones that its task declares (src/engine/README.md, Commit step). Without git nothing is recorded, and tasks work all the
 * same.
 */
export const createSharedRecords = (core: Core, open: OpenChanges): Worktrees => {
  const { loop } = core;
  /** The attempts under way, each with the tasks that worked beside it. A paused or repeated call is still the same attempt. */
  const beside = new Map<string, Set<TaskId>>();
  let isOff = false;

  const known = (brief: Brief, number = brief.attempt ?? 1): AttemptChanges | undefined =>
    loop.state().changes.attempts.get(attemptKey(brief.iteration, brief.task?.id ?? '', number));

  const changesOf = async (brief: Brief): Promise<SessionChanges | null> => {
    if (brief.mode !== 'IMPLEMENT' || core.options.changes === undefined || isOff) return null;
    const changes = await open.get();
    if (!('code' in changes)) return changes;
    giveUp(changes);
    return null;
  };

  /** The first failure ends the recording of this program: half a record would blame the wrong task. */
  const giveUp = (fault: Fault): void => {
    if (isOff) return;
    isOff = true;
    if (fault.code === 'no-repository' || !loop.isOpen()) return;
    const what = `attempts are not recorded, so they cannot be undone: ${fault.what}`;
    loop.run(() => core.problem({ ...fault, code: 'no-snapshots', what }));
  };

  const record = (active: Active, body: EventBody): void => {
    active.alive = core.options.clock.monotonic();
    if (loop.isOpen() && !active.over) loop.run(() => loop.commit(body));
  };

  const take = async (
    changes: SessionChanges,
    brief: Brief,
    moment: 'before' | 'after',
    number = brief.attempt ?? 1,
  ): Promise<Snapshot | null> => {
    const named = gitAttempt(brief.iteration, brief.task?.id ?? '', number);
    const taken: Result<Snapshot> = await changes.snapshot(named, moment);
    if (!taken.ok) {
      giveUp(taken.fault);
      return null;
    }
    const { problems } = taken.value;
    if (problems.length > 0 && loop.isOpen())
      loop.run(() => {
        for (const what of problems) core.problem({ code: 'not-recorded', what: what.replace(/\.$/, '') });
      });
    return taken.value;
  };

  const snapshot = async (
    active: Active,
    brief: Brief,
    changes: SessionChanges,
    moment: 'before' | 'after',
    number = brief.attempt ?? 1,
  ): Promise<void> => {
    const taken = await take(changes, brief, moment, number);
    const task = brief.task?.id ?? '';
    if (taken !== null)
      record(active, { type: 'attempt.snapshotted', task, attempt: number, moment, commit: taken.commit });
  };

  const enter: Worktrees['enter'] = async (active, brief) => {
    const changes = await changesOf(brief);
    if (changes === null) return brief;
    note(brief);
    const last = (brief.attempt ?? 1) - 1;
    // A crash or a stop came before the end of the last attempt was recorded.
    const isCut = known(brief, last)?.before != null && known(brief, last)?.after === null;
    if (isCut) await snapshot(active, brief, changes, 'after', last);
    if (!known(brief)?.before) await snapshot(active, brief, changes, 'before');
    return brief;
  };

  const note = (brief: Brief): void => {
    const own = keyOf(brief);
    const task = brief.task?.id ?? '';
    for (const key of beside.keys()) if (key !== own && taskOf(key) === taskOf(own)) beside.delete(key);
    // What ran beside an attempt that a former program began is not known.
    const mine = beside.get(own) ?? new Set(known(brief)?.before ? [''] : []);
    for (const [key, tasks] of beside) {
      if (key === own) continue;
      tasks.add(task);
      mine.add(taskOf(key));
    }
    beside.set(own, mine);
  };

  const leave: Worktrees['leave'] = async (active, brief, end) => {
    if (end.kind === 'outcome' && end.outcome.status === 'paused') return end;
    const changes = await changesOf(brief);
    const before = known(brief)?.before ?? null;
    if (changes === null || before === null) return end;
    const taken = await take(changes, brief, 'after');
    if (taken === null) return end;
    const differing = await changes.changedFiles({ from: before, to: taken.commit });
    if (!differing.ok) {
      giveUp(differing.fault);
      return end;
    }
    const changed = differing.value
      .flatMap(({ path, from }) => (from === null ? [path] : [from, path]))
      .filter((path) => !personal.has(path) || (brief.task !== undefined && isDeclared(brief.task, path)));
    const files = ownFiles(brief, changed);
    if (end.kind === 'outcome') beside.delete(keyOf(brief));
    record(active, {
      type: 'attempt.snapshotted',
      task: brief.task?.id ?? '',
      attempt: brief.attempt ?? 1,
      moment: 'after',
      commit: taken.commit,
      files: [...files],
    });
    if (end.kind !== 'outcome' || end.outcome.role !== 'Executor') return end;
    const said = end.outcome.files_modified.filter((path) => !changed.includes(path));
    const ignored = await changes.ignored(said);
    const files_modified = [...files, ...(ignored.ok ? ignored.value : [])];
    return { ...end, outcome: { ...end.outcome, files_modified } };
  };

  const ownFiles = (brief: Brief, changed: readonly string[]): readonly string[] => {
    const tasks = beside.get(keyOf(brief)) ?? new Set<TaskId>(['']);
    const { task } = brief;
    if (tasks.size === 0 || task === undefined || task.files.length === 0) return changed;
    const own = changed.filter((path) => isDeclared(task, path));
    const others = [...tasks].flatMap((id) => loop.state().tasks.get(id)?.definition ?? []);
    const left = changed.filter(
      (path) => !own.includes(path) && !others.some((other) => isDeclared(other, path)),
    );
    if (left.length > 0 && others.length > 0) nobodys(left, [task.id, ...others.map(({ id }) => id)]);
    return own;
  };

  const nobodys = (files: readonly string[], tasks: readonly string[]): void => {
    const more = files.length > 3 ? ` and ${files.length - 3} more` : '';
    const what = `${files.slice(0, 3).join(', ')}${more} changed while ${tasks.toSorted().join(', ')} ran, and no task declares it`;
    if (loop.isOpen())
      loop.run(() => core.problem({ code: 'unattributed', what, hint: 'it counts as unattributed' }));
  };

  return { enter, leave };
};

/** What a person says to agents, or this program finds, while they work. */
const personal: ReadonlySet<string> = new Set([
  '.ralph/guidance.yaml',
  '.ralph/guidance.yaml.bak',
  '.ralph/acknowledged.jsonl',
  '.ralph/constraint-scan.jsonl',
]);

const keyOf = ({ iteration, task, attempt }: Brief): string =>
  attemptKey(iteration, task?.id ?? '', attempt ?? 1);

const taskOf = (key: string): TaskId => key.slice(0, key.lastIndexOf('/')).replace(/@\d+$/, '');
