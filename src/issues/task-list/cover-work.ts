import type { Issue, IssueId } from '../issue.ts';
import { createFlowTask, type FlowTask, type TaskSubject } from './flow-task.ts';
import type { ListEntry, ListFacts } from './list-entry.ts';
import type { Outlook } from './list-outlook.ts';
import { isPast } from './over.ts';

interface Seen {
  readonly entry: ListEntry;
  readonly live: readonly IssueId[];
  readonly isOff: boolean;
}

/**
 * What implementations lack for their way to the end: a plan that covers the issue, with its review, and a pull request on their stream. Changes the tasks of
 * `revised`, and returns those to add. A task leaves an issue out while that cannot go on; when it can again, it may be too late to join.
 */
export const wayToEnd = (
  seen: readonly Seen[],
  facts: ListFacts,
  outlook: Outlook,
  revised: Map<string, FlowTask>,
): readonly FlowTask[] => {
  const added: FlowTask[] = [];
  const add = (subject: TaskSubject): FlowTask => {
    for (let round = subject.round ?? 1; ; round += 1) {
      const made = createFlowTask({ ...subject, round });
      if (revised.has(made.id)) continue;
      revised.set(made.id, made);
      added.push(made);
      return made;
    }
  };
  const works = seen.filter(
    ({ entry, live, isOff }) =>
      entry.task.phase === 'implement' &&
      !isOff &&
      entry.standing !== 'failed' &&
      entry.standing !== 'off' &&
      live.length > 0 &&
      !outlook.isReplaced(entry),
  );
  for (const { entry, live } of works)
    if (entry.standing === 'open' && !entry.kept) planned(entry, live, facts, outlook, revised, add);
  for (const { entry, live } of works) {
    const left = live.filter(
      (issue) => outlook.out(entry, issue) === null && !isCovered(issue, seen, outlook, added, revised),
    );
    if (left.length > 0) delivered(entry, left, seen, facts, revised, add);
  }
  return added.map(({ id }) => revised.get(id)).filter((task) => task !== undefined);
};

/** A plan and its review for an issue whose implementation could start without one. */
const planned = (
  { task }: ListEntry,
  live: readonly IssueId[],
  facts: ListFacts,
  outlook: Outlook,
  revised: Map<string, FlowTask>,
  add: (subject: TaskSubject) => FlowTask,
): void => {
  const bare = live.flatMap((id) => {
    const issue = facts.index.byId.get(id);
    const isPlanned =
      issue === undefined ||
      isPast('plan', issue.state) ||
      (['plan', 'review'] as const).some((phase) => {
        const known = outlook.lastOf(phase, id)?.task.id ?? '';
        return revised.get(known)?.issues.includes(id) === true;
      });
    return isPlanned ? [] : [issue];
  });
  if (bare.length === 0) return;
  const early = bare.flatMap(({ id }) => outlook.lastOf('research', id)?.task.id ?? []);
  const plan = add({ phase: 'plan', issues: bare, span: 'issue', blockedBy: early });
  const gate = facts.review === 'human' ? ('human' as const) : null;
  const last =
    facts.review === 'skip'
      ? plan
      : add({ phase: 'review', issues: bare, span: 'issue', blockedBy: [plan.id], gate });
  const now = revised.get(task.id) ?? task;
  revised.set(task.id, { ...now, blockedBy: [...now.blockedBy, last.id] });
};

const isCovered = (
  issue: IssueId,
  seen: readonly Seen[],
  { isReplaced }: Outlook,
  added: readonly FlowTask[],
  revised: ReadonlyMap<string, FlowTask>,
): boolean =>
  [...seen.flatMap(({ entry }) => (isReplaced(entry) ? [] : [entry.task])), ...added].some(
    ({ id, phase }) => phase === 'pr' && revised.get(id)?.issues.includes(issue) === true,
  );

/** Puts finished or coming work into the pull request of its stream, or into one of its own when that has begun already. */
const delivered = (
  { task }: ListEntry,
  left: readonly IssueId[],
  seen: readonly Seen[],
  { index, autoMerge }: ListFacts,
  revised: Map<string, FlowTask>,
  add: (subject: TaskSubject) => FlowTask,
): void => {
  const open = seen.find(
    ({ entry, isOff }) =>
      entry.task.phase === 'pr' &&
      entry.task.stream === task.stream &&
      entry.standing === 'open' &&
      !entry.kept &&
      !isOff,
  )?.entry.task.id;
  const known = open === undefined ? undefined : revised.get(open);
  if (known !== undefined) {
    revised.set(known.id, extended(known, left, [task.id]));
    for (const merge of [...revised.values()])
      if (merge.phase === 'merge' && merge.blockedBy.includes(known.id))
        revised.set(merge.id, extended(merge, left, []));
    return;
  }
  const issues: readonly Issue[] = left.flatMap((id) => index.byId.get(id) ?? []);
  if (issues.length === 0) return;
  const { span, stream } = task;
  const pr = add({ phase: 'pr', issues, span, stream, blockedBy: [task.id] });
  if (autoMerge) add({ phase: 'merge', issues, span, stream, blockedBy: [pr.id] });
};

const extended = (task: FlowTask, issues: readonly IssueId[], blockers: readonly string[]): FlowTask => ({
  ...task,
  issues: [...new Set([...task.issues, ...issues])],
  blockedBy: [...new Set([...task.blockedBy, ...blockers])],
});
