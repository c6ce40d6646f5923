import type { IssueId } from '../issue.ts';
import { wayToEnd } from './cover-work.ts';
import type { FlowTask } from './flow-task.ts';
import type { ListEntry, ListFacts, Revision } from './list-entry.ts';
import { type Outlook, outlookOf } from './list-outlook.ts';

/**
 * A list as it has to be after what happened to its tasks and issues: closed, deleted, moved, split or newly blocked issues, and tasks that failed, were
 * cancelled or are in other hands. Tasks go on with the issues for which something can come of them, and nothing waits for a task that never comes; what
 * can only wait names the task that stands in the way. Finished work keeps a pull request. Revising the result again changes nothing.
 */
export const reviseList = (list: readonly ListEntry[], facts: ListFacts): Revision => {
  const outlook = outlookOf(list, facts);
  const views = new Map(list.map((entry) => [entry.task.id, viewOf(entry, outlook)]));
  const off = [...views.values()].flatMap(({ entry, off: reason }) =>
    reason === null ? [] : [{ id: entry.task.id, reason }],
  );
  const revised = new Map<string, FlowTask>();
  for (const view of views.values()) revised.set(view.entry.task.id, next(view, views, outlook));
  for (const view of views.values()) bar(view, revised);
  for (const view of views.values()) hold(view, outlook, revised);
  const added = wayToEnd(
    [...views.values()].map(({ entry, live, off: why }) => ({ entry, live, isOff: why !== null })),
    facts,
    outlook,
    revised,
  );
  const changed = list.flatMap(({ task }) => {
    const now = revised.get(task.id);
    if (now === undefined || isSame(now, task)) return [];
    return [hasSameIds(now.issues, task.issues) ? { ...now, issues: task.issues } : now];
  });
  return { changed, added, off };
};

interface View {
  readonly entry: ListEntry;
  /** Why it is to be cancelled. */
  readonly off: string | null;
  /** The issues for which something can come of it. */
  readonly live: readonly IssueId[];
  /** The tasks that stand in the way of all its issues. */
  readonly barriers: readonly ListEntry[];
}

const viewOf = (entry: ListEntry, outlook: Outlook): View => {
  const { task, standing, kept, lost } = entry;
  const none = { entry, off: null, live: task.issues, barriers: [] };
  if (standing === 'done' || standing === 'failed' || standing === 'off') return none;
  // What is in other hands is off, also where its result waits to be entered: nothing can be.
  if (lost !== null) return { ...none, off: lost };
  // The engine moves the issues of a result before the task is done; but there is nothing to move of deleted ones.
  const gone = task.issues.filter(outlook.isGone).map((issue) => `${issue} was deleted`);
  if (kept && gone.length === task.issues.length) return { ...none, off: gone.join(', '), live: [] };
  if (kept) return none;
  const left: IssueId[] = [];
  const outs: string[] = [];
  for (const issue of task.issues) {
    const why = outlook.out(entry, issue);
    if (why === null) left.push(issue);
    else outs.push(why);
  }
  if (left.length === 0) return { ...none, off: outs.join(', '), live: [] };
  if (standing === 'active') return none;
  const inTheWay = left.map((issue) => outlook.barrier(entry, issue));
  const live = left.filter((_, at) => inTheWay[at] === null);
  if (live.length > 0) return { entry, off: null, live, barriers: [] };
  const barriers = inTheWay.flatMap((barrier) => barrier ?? []);
  // A person can try a failed task again, but what somebody else has does not come back here.
  const taken = barriers.every((barrier) => barrier.lost !== null) ? (barriers[0] ?? null) : null;
  return { entry, off: taken === null ? null : waitsFor(left, taken), live: [], barriers };
};

const waitsFor = (issues: readonly IssueId[], { task, lost }: ListEntry): string =>
  issues.some((issue) => task.issues.includes(issue))
    ? (lost ?? '')
    : `${issues.join(', ')} ${issues.length === 1 ? 'waits' : 'wait'} for ${task.issues.join(', ')}`;

const isOpen = ({ entry: { standing, kept } }: View): boolean => standing === 'open' && !kept;

/** The task with the issues that are left, waiting for tasks that can be done; or for those that keep it from all it has. */
const next = (view: View, views: ReadonlyMap<string, View>, outlook: Outlook): FlowTask => {
  const { entry, live } = view;
  const { task } = entry;
  if (!isOpen(view) || view.off !== null || outlook.isReplaced(entry)) return task;
  if (live.length === 0) return { ...task, blockedBy: task.blockedBy.filter((id) => views.has(id)) };
  return {
    ...task,
    issues: live,
    blockedBy: standIns(task.blockedBy, views, outlook, new Set([task.id])),
  };
};

/** The tasks to wait for instead of these. One that never comes hands on what it waited for itself. */
const standIns = (
  ids: readonly string[],
  views: ReadonlyMap<string, View>,
  outlook: Outlook,
  seen: Set<string>,
): readonly string[] =>
  union(
    ids.flatMap((id) => {
      const view = views.get(id);
      if (view === undefined || seen.has(id)) return [];
      const { task, standing } = view.entry;
      if (outlook.isReplaced(view.entry)) {
        const parts = standIns(task.replaced_by, views, outlook, new Set([...seen, id]));
        return parts.length === task.replaced_by.length &&
          parts.every((part) => task.replaced_by.includes(part))
          ? [id]
          : parts;
      }
      const never =
        view.off !== null ||
        standing === 'failed' ||
        standing === 'off' ||
        (isOpen(view) && view.live.length === 0);
      return never ? standIns(task.blockedBy, views, outlook, new Set([...seen, id])) : [id];
    }),
    [],
  );

/** What can only wait, waits for what stands in its way; that one has no need to wait for it. */
const bar = (view: View, revised: Map<string, FlowTask>): void => {
  const { id } = view.entry.task;
  if (!isOpen(view) || view.off !== null) return;
  for (const barrier of view.barriers) {
    const [own, other] = [revised.get(id), revised.get(barrier.task.id)];
    if (own === undefined || other === undefined || own === other || own.blockedBy.includes(other.id))
      continue;
    const free = other.blockedBy.filter((each) => !reaches(revised, each, id));
    if (free.length < other.blockedBy.length) revised.set(other.id, { ...other, blockedBy: free });
    revised.set(id, { ...own, blockedBy: [...own.blockedBy, other.id] });
  }
};

/**
 * What the work on an issue follows, also when somebody says so late: an implementation those of the issues that block its own, a pull request the
 * implementation, and a merge the pull request.
 */
const hold = (view: View, outlook: Outlook, revised: Map<string, FlowTask>): void => {
  const { entry, live } = view;
  const task = revised.get(entry.task.id);
  if (task === undefined || !isOpen(view) || live.length === 0 || outlook.isReplaced(entry)) return;
  for (const other of live.flatMap((issue) => before(task.phase, issue, outlook))) {
    const now = revised.get(task.id);
    if (now === undefined || other === task.id) continue;
    if (reaches(revised, task.id, other) || reaches(revised, other, task.id)) continue;
    revised.set(task.id, { ...now, blockedBy: [...now.blockedBy, other] });
  }
};

const before = (
  phase: FlowTask['phase'],
  issue: IssueId,
  { lastOf, blockersOf }: Outlook,
): readonly string[] => {
  if (phase === 'implement')
    return [...blockersOf(issue)].flatMap((blocker) => lastOf('implement', blocker)?.task.id ?? []);
  if (phase === 'pr') return [lastOf('implement', issue)?.task.id ?? []].flat();
  return phase === 'merge' ? [lastOf('pr', issue)?.task.id ?? []].flat() : [];
};

/** Whether a task waits for another one, directly or not. */
const reaches = (tasks: ReadonlyMap<string, FlowTask>, from: string, to: string): boolean => {
  const seen = new Set<string>();
  const stack = [from];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    const task = tasks.get(id);
    if (task !== undefined) stack.push(...task.blockedBy, ...task.replaced_by);
  }
  return false;
};

const union = (some: readonly string[], more: readonly string[]): readonly string[] => [
  ...new Set([...some, ...more]),
];

/** Whether two forms of a task have the same issues and blockers. Their order says nothing: an issue that is left out and covered again comes last. */
const isSame = (one: FlowTask, other: FlowTask): boolean =>
  one === other || (hasSameIds(one.issues, other.issues) && hasSameIds(one.blockedBy, other.blockedBy));

/** Whether two lists without repetition have the same ids, in any order. */
export const hasSameIds = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((id) => others.includes(id));
