import type { IssueId } from '../issue.ts';
import type { IssueIndex } from '../issue-index.ts';
import { createFlowTask, type FlowTask } from './flow-task.ts';

/** Tasks to add to a list, and tasks whose work these take over. */
interface ListChange {
  readonly added: readonly FlowTask[];
  readonly replaced: ReadonlyMap<string, readonly string[]>;
}

const unchanged: ListChange = { added: [], replaced: new Map() };

/**
 * The tasks of a fresh list that an existing one lacks: none when it was built from the same position. A task of the same phase that covers the issue
 * counts, whatever its name. `existing` leaves out cancelled tasks and those that a person sent back.
 */
export const missingTasks = (
  index: IssueIndex,
  existing: readonly FlowTask[],
  built: readonly FlowTask[],
): readonly FlowTask[] => {
  const covering = coverage(existing);
  /** The ids that stand for each id of the fresh list. */
  const standsFor = new Map<string, readonly string[]>();
  const added: FlowTask[] = [];
  for (const task of built) {
    const covered = task.issues.flatMap((id) => covering.get(keyOf(task.phase, id)) ?? []);
    const left = task.issues.filter((id) => !covering.has(keyOf(task.phase, id)));
    const own = left.length === 0 ? [] : [remade(index, task, left, standsFor, existing)];
    added.push(...own);
    standsFor.set(task.id, [...new Set([...covered, ...own.map(({ id }) => id)])]);
  }
  return added;
};

const keyOf = (phase: FlowTask['phase'], issue: IssueId): string => `${phase} ${issue}`;

/** The last task of each phase and issue that was not replaced itself. */
const coverage = (tasks: readonly FlowTask[]): ReadonlyMap<string, string> =>
  new Map(
    tasks.flatMap((task) =>
      task.replaced_by.length > 0 ? [] : task.issues.map((issue) => [keyOf(task.phase, issue), task.id]),
    ),
  );

const remade = (
  index: IssueIndex,
  task: FlowTask,
  issues: readonly IssueId[],
  standsFor: ReadonlyMap<string, readonly string[]>,
  existing: readonly FlowTask[],
): FlowTask => {
  const blockedBy = [...new Set(task.blockedBy.flatMap((id) => standsFor.get(id) ?? [id]))];
  const subject = { ...task, blockedBy, issues: issues.flatMap((id) => index.byId.get(id) ?? []) };
  for (let round = task.round; ; round += 1) {
    const made = createFlowTask({ ...subject, round });
    if (!existing.some(({ id }) => id === made.id)) return made;
  }
};

/**
 * Replaces the tail of a group by parts for each stream, after research. `built` is the list of the same position with its streams; nothing changes
 * when there is only one, or once some of the tail has begun (`started`): that work is on one branch, and what follows it belongs there.
 */
export const splitByStreams = (
  tasks: readonly FlowTask[],
  built: readonly FlowTask[],
  started: ReadonlySet<string>,
): ListChange => {
  const ofStreams = built.filter(({ span }) => span === 'stream');
  const known = new Set(tasks.map(({ id }) => id));
  const tail = tasks.filter((task) => task.span !== 'stream' && task.replaced_by.length === 0);
  if (tail.some(({ id, phase }) => inTail.has(phase) && started.has(id))) return unchanged;
  const replaced = new Map<string, readonly string[]>();
  for (const task of tail) {
    const parts = ofStreams.filter(
      ({ phase, issues }) => phase === task.phase && issues.some((id) => task.issues.includes(id)),
    );
    if (parts.length > 0)
      replaced.set(
        task.id,
        parts.map(({ id }) => id),
      );
  }
  const wanted = new Set([...replaced.values()].flat());
  const added = ofStreams.filter(({ id }) => wanted.has(id) && !known.has(id));
  return added.length === 0 ? unchanged : { added, replaced };
};

const inTail: ReadonlySet<FlowTask['phase']> = new Set(['plan', 'review', 'implement', 'pr', 'merge']);

/** A plan that is rejected this often needs a person. */
const mostRejections = 3;

/** What a rejected review leads to: a new plan with its review, or a person for all issues of the plan. */
type Rejection =
  | ({ readonly kind: 'again' } & ListChange)
  | { readonly kind: 'escalate'; readonly issues: readonly IssueId[]; readonly reason: string };

/** Adds the next round after `NEEDS_ITERATION`. The old review is replaced, so that its dependants wait for the new one. */
export const afterRejection = (index: IssueIndex, review: FlowTask): Rejection => {
  if (review.round >= mostRejections) {
    const reason = `the plan was rejected ${mostRejections} times`;
    return { kind: 'escalate', issues: review.issues, reason };
  }
  const issues = review.issues.flatMap((id) => index.byId.get(id) ?? []);
  const subject = { issues, span: review.span, round: review.round + 1 };
  const plan = createFlowTask({ ...subject, phase: 'plan', blockedBy: [] });
  const again = createFlowTask({ ...subject, phase: 'review', blockedBy: [plan.id], gate: review.gate });
  return { kind: 'again', added: [plan, again], replaced: new Map([[review.id, [again.id]]]) };
};
