import type { Brief, RoleEnd } from '../../agents/port.ts';
import type { Fault } from '../../base/fault.ts';
import type { SessionChanges } from '../../changes/port.ts';
import type { TaskId } from '../../tasks/task.ts';
import { isDeclared } from '../../tasks/task-files.ts';
import type { Core } from '../core.ts';
import type { Active } from '../invocation/active.ts';
import type { Worktrees } from '../invocation/worktrees.ts';
import type { OpenChanges } from '../open-changes.ts';
import { keyOf, recorded, recordSnapshot, takeSnapshot } from './attempt-record.ts';

/**
 * Records attempts of tasks that share the workspace. Git tells which files changed. Those that no other task can have changed are the attempt's:
 * all when it ran alone, else the ones that its task declares (src/engine/README.md, Commit step). Without git nothing is recorded, and tasks work all the
 * same.
 */
export const createSharedRecords = (core: Core, open: OpenChanges): Worktrees => {
  const records: Records = { core, open, beside: new Map(), isOff: false };
  return {
    enter: (active, brief) => enter(records, active, brief),
    leave: (active, brief, end) => leave(records, active, brief, end),
  };
};

interface Records {
  readonly core: Core;
  readonly open: OpenChanges;
  /** The attempts under way, each with the tasks that worked beside it. A paused or repeated call is still the same attempt. */
  readonly beside: Map<string, Set<TaskId>>;
  isOff: boolean;
}

const enter = async (records: Records, active: Active, brief: Brief): Promise<Brief> => {
  const { core } = records;
  const changes = await changesOf(records, brief);
  if (changes === null) return brief;
  note(records, brief);
  const last = (brief.attempt ?? 1) - 1;
  const before = recorded(core, brief, last);
  // A crash or a stop came before the end of the last attempt was recorded.
  if (before?.before != null && before.after === null)
    await snapshot(records, active, brief, changes, { moment: 'after', number: last });
  if (!recorded(core, brief)?.before) await snapshot(records, active, brief, changes, { moment: 'before' });
  return brief;
};

const leave = async (records: Records, active: Active, brief: Brief, end: RoleEnd): Promise<RoleEnd> => {
  const { core, beside } = records;
  if (end.kind === 'outcome' && end.outcome.status === 'paused') return end;
  const changes = await changesOf(records, brief);
  const before = recorded(core, brief)?.before ?? null;
  if (changes === null || before === null) return end;
  const taken = await takeSnapshot(core, brief, changes, { moment: 'after', odd });
  if (!taken.ok) return given(records, taken.fault, end);
  const { commit } = taken.value;
  const differing = await changes.changedFiles({ from: before, to: commit });
  if (!differing.ok) return given(records, differing.fault, end);
  const changed = differing.value
    .flatMap(({ path, from }) => (from === null ? [path] : [from, path]))
    .filter((path) => !personal.has(path) || (brief.task !== undefined && isDeclared(brief.task, path)));
  const { files, undeclared } = ownFiles(records, brief, changed);
  if (end.kind === 'outcome') beside.delete(keyOf(brief));
  recordSnapshot(core, active, brief, { moment: 'after', commit, files, undeclared });
  if (end.kind !== 'outcome' || end.outcome.role !== 'Executor') return end;
  const said = end.outcome.files_modified.filter((path) => !changed.includes(path));
  const ignored = await changes.ignored(said);
  const files_modified = [...files, ...(ignored.ok ? ignored.value : [])];
  return { ...end, outcome: { ...end.outcome, files_modified } };
};

const changesOf = async (records: Records, brief: Brief): Promise<SessionChanges | null> => {
  const { core, open, isOff } = records;
  if (brief.mode !== 'IMPLEMENT' || core.options.changes === undefined || isOff) return null;
  const changes = await open.get();
  if (!('code' in changes)) return changes;
  giveUp(records, changes);
  return null;
};

/** The first failure ends the recording of this program: half a record would blame the wrong task. */
const giveUp = (records: Records, fault: Fault): void => {
  const { core } = records;
  if (records.isOff) return;
  records.isOff = true;
  if (fault.code === 'no-repository' || !core.loop.isOpen()) return;
  const what = `attempts are not recorded, so they cannot be undone: ${fault.what}`;
  core.loop.run(() => core.problem({ ...fault, code: 'no-snapshots', what }));
};

const given = (records: Records, fault: Fault, end: RoleEnd): RoleEnd => {
  giveUp(records, fault);
  return end;
};

const snapshot = async (
  records: Records,
  active: Active,
  brief: Brief,
  changes: SessionChanges,
  which: { readonly moment: 'before' | 'after'; readonly number?: number },
): Promise<void> => {
  const taken = await takeSnapshot(records.core, brief, changes, { ...which, odd });
  if (!taken.ok) giveUp(records, taken.fault);
  else recordSnapshot(records.core, active, brief, { ...which, commit: taken.value.commit });
};

/** Notes that an attempt begins: it works beside all that are under way, and they beside it. */
const note = ({ core, beside }: Records, brief: Brief): void => {
  const own = keyOf(brief);
  const task = brief.task?.id ?? '';
  for (const key of beside.keys()) if (key !== own && taskOf(key) === taskOf(own)) beside.delete(key);
  // An earlier process began this attempt: it is not known which tasks ran beside it.
  const mine = beside.get(own) ?? new Set(recorded(core, brief)?.before ? [''] : []);
  for (const [key, tasks] of beside) {
    if (key === own) continue;
    tasks.add(task);
    mine.add(taskOf(key));
  }
  beside.set(own, mine);
};

interface Changed {
  readonly files: readonly string[];
  /** Of nobody known. */
  readonly undeclared: readonly string[];
}

const ownFiles = ({ core, beside }: Records, brief: Brief, changed: readonly string[]): Changed => {
  const tasks = beside.get(keyOf(brief)) ?? new Set<TaskId>(['']);
  const { task } = brief;
  if (tasks.size === 0 || task === undefined || task.files.length === 0)
    return { files: changed, undeclared: [] };
  const own = changed.filter((path) => isDeclared(task, path));
  const others = [...tasks].flatMap((id) => core.loop.state().tasks.get(id)?.definition ?? []);
  const left = changed.filter(
    (path) => !own.includes(path) && !others.some((other) => isDeclared(other, path)),
  );
  if (left.length > 0 && others.length > 0)
    unattributed(core, left, [task.id, ...others.map(({ id }) => id)]);
  return { files: own, undeclared: left };
};

const unattributed = (core: Core, files: readonly string[], tasks: readonly string[]): void => {
  const more = files.length > 3 ? ` and ${files.length - 3} more` : '';
  const what = `${files.slice(0, 3).join(', ')}${more} changed while ${tasks.toSorted().join(', ')} ran, but no task declares the change`;
  if (core.loop.isOpen())
    core.loop.run(() => core.problem({ code: 'unattributed', what, hint: 'it counts as unattributed' }));
};

/** The code of what git found odd about a snapshot. */
const odd = 'not-recorded';

/** What a person says to agents, or this program finds, while they work. */
const personal: ReadonlySet<string> = new Set([
  '.ralph/guidance.yaml',
  '.ralph/guidance.yaml.bak',
  '.ralph/acknowledged.jsonl',
  '.ralph/constraint-scan.jsonl',
]);

const taskOf = (key: string): TaskId => key.slice(0, key.lastIndexOf('/')).replace(/@\d+$/, '');
