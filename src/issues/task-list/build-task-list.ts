import { byIssueId, type IssueId } from '../issue.ts';
import { allBlockers, blockersForOrder, type IssueIndex } from '../issue-index.ts';
import { isBefore, type Phase, type PlanReview } from '../position/phase.ts';
import { type IssuePosition, isOpen, type Position } from '../position/position.ts';
import type { Stream } from '../streams/streams.ts';
import { createFlowTask, type FlowTask, type TaskSubject } from './flow-task.ts';

export interface TaskListOptions {
  readonly review: PlanReview;
  readonly autoMerge: boolean;
  /** Known after research; empty before. */
  readonly streams: readonly Stream[];
}

/**
 * All tasks of the remaining pipeline at once (src/issues/README.md, The upfront task list). Issues with an obstacle of their own are left out, and those whose
 * blockers have one are only researched: the position is taken again when that changes. With oversized issues there are only the splits.
 */
export const buildTaskList = (
  index: IssueIndex,
  position: Position,
  options: TaskListOptions,
): readonly FlowTask[] => {
  const open = position.issues.filter(
    (issue) => isOpen(issue) && (issue.obstacle === null || issue.obstacle.kind === 'gate'),
  );
  const context: Context = { index, position, options };
  const splits = open.filter(({ phase }) => phase === 'SPLIT');
  if (splits.length > 0) return splits.map(({ id }) => taskFor(context, 'split', [id], 'issue', []));
  const early = open.flatMap((issue) => researchOf(context, issue));
  const whole = open.filter(({ later, phase }) => later === null || !isBefore(phase, 'IMPLEMENT'));
  return [...early, ...parts(context, whole).flatMap((part) => tailOf(context, part, early))];
};

interface Context {
  readonly index: IssueIndex;
  readonly position: Position;
  readonly options: TaskListOptions;
}

/** Issues that are planned and merged together: the group, or one stream of it. */
interface Part {
  readonly issues: readonly IssuePosition[];
  readonly span: FlowTask['span'];
  /** Names its branch, also when a later session takes up what is left of it. */
  readonly primary: IssueId;
}

const parts = (context: Context, issues: readonly IssuePosition[]): readonly Part[] => {
  const { streams } = context.options;
  const first = issues[0]?.id;
  if (first === undefined) return [];
  if (streams.length < 2)
    return [
      {
        issues,
        span: issues.length === 1 ? 'issue' : 'group',
        primary: builtBefore(context, issues) ?? first,
      },
    ];
  const streamOf = new Map(streams.flatMap((stream) => stream.issues.map((id) => [id, stream.primary])));
  const grouped = Map.groupBy(issues, ({ id }) => streamOf.get(id) ?? id);
  return [...grouped]
    .toSorted(([a], [b]) => byIssueId(a, b))
    .map(([stream, members]) => ({ issues: members, span: 'stream', primary: stream }));
};

/** The first issue in review for which one of these waits: their work continues on its branch, which is not merged yet. */
const builtBefore = ({ index, position }: Context, issues: readonly IssuePosition[]): IssueId | undefined => {
  const waitsFor = new Set(issues.flatMap(({ id }) => [...allBlockers(index, id)]));
  return position.issues.find(({ id, state }) => state === 'In Review' && waitsFor.has(id))?.id;
};

const researchOf = (context: Context, { id, phase }: IssuePosition): readonly FlowTask[] => {
  if (phase === 'RESEARCH') return [taskFor(context, 'research', [id], 'issue', [])];
  if (phase !== 'TRIAGE') return [];
  const triage = taskFor(context, 'triage', [id], 'issue', []);
  return [triage, taskFor(context, 'research', [id], 'issue', [triage.id])];
};

/** Plan, review, implementations in order, pull request and merge of one part. */
const tailOf = (
  context: Context,
  { issues, span, primary }: Part,
  early: readonly FlowTask[],
): readonly FlowTask[] => {
  const { review, autoMerge } = context.options;
  const tasks: FlowTask[] = [];
  const add = (
    phase: FlowTask['phase'],
    of: readonly IssuePosition[],
    spanned: FlowTask['span'],
    after: readonly FlowTask[],
  ): FlowTask => {
    const task = taskFor(
      context,
      phase,
      of.map(({ id }) => id),
      spanned,
      after.map(({ id }) => id),
      branching.has(phase) ? primary : null,
    );
    tasks.push(task);
    return task;
  };
  const within = (wanted: (phase: Phase) => boolean): readonly IssuePosition[] =>
    issues.filter(({ phase }) => wanted(phase));
  const toPlan = within((phase) => !isBefore('PLAN', phase));
  const toReview = within((phase) => phase === 'REVIEW' || phase === 'HUMAN_GATE');
  const found = early.filter((task) => toPlan.some(({ id }) => task.issues.includes(id)));
  const plan = toPlan.length === 0 ? null : add('plan', toPlan, spanOf(span, toPlan), found);
  /** The task after which each issue may be implemented. */
  const approval = new Map<IssueId, FlowTask>();
  for (const [of, after] of [
    [toPlan, plan],
    [toReview, null],
  ] as const) {
    if (of.length === 0) continue;
    const reviewed =
      review === 'skip' ? after : add('review', of, spanOf(span, of), after === null ? [] : [after]);
    if (reviewed !== null) for (const { id } of of) approval.set(id, reviewed);
  }
  const toImplement = orderedForWork(
    within((phase) => !isBefore('IMPLEMENT', phase)),
    approval,
    context,
  );
  const implemented: FlowTask[] = [];
  for (const issue of toImplement)
    implemented.push(
      add(
        'implement',
        [issue],
        span === 'stream' ? span : 'issue',
        [approval.get(issue.id) ?? [], implemented.at(-1) ?? []].flat(),
      ),
    );
  const last = implemented.at(-1);
  const pr = last === undefined ? null : add('pr', toImplement, spanOf(span, toImplement), implemented);
  const merged = within((phase) => phase === 'INTEGRATE');
  if (autoMerge && pr !== null) add('merge', toImplement, spanOf(span, toImplement), [pr]);
  if (autoMerge && merged.length > 0) add('merge', merged, spanOf(span, merged), []);
  return tasks;
};

/** Phases that work on the branch of a stream. */
const branching: ReadonlySet<FlowTask['phase']> = new Set(['implement', 'pr', 'merge']);

const spanOf = (span: FlowTask['span'], issues: readonly IssuePosition[]): FlowTask['span'] =>
  issues.length === 1 && span === 'group' ? 'issue' : span;

/** The order of the group, but an approved plan does not wait for one that is still to be written unless a blocker says so. */
const orderedForWork = (
  issues: readonly IssuePosition[],
  approval: ReadonlyMap<IssueId, FlowTask>,
  { index }: Context,
): readonly IssuePosition[] => {
  const left = new Map(issues.map((issue) => [issue.id, issue]));
  const blockersOf = new Map(
    issues.map(({ id }) => {
      const issue = index.byId.get(id);
      return [id, issue === undefined ? [] : blockersForOrder(index, issue)];
    }),
  );
  const isFree = ({ id }: IssuePosition): boolean =>
    !(blockersOf.get(id) ?? []).some((blocker) => left.has(blocker));
  const ordered: IssuePosition[] = [];
  while (left.size > 0) {
    const free = [...left.values()].filter(isFree);
    const next = free.find(({ id }) => !approval.has(id)) ?? free[0];
    if (next === undefined) break;
    left.delete(next.id);
    ordered.push(next);
  }
  return ordered;
};

const taskFor = (
  { index, options }: Context,
  phase: FlowTask['phase'],
  ids: readonly IssueId[],
  span: FlowTask['span'],
  blockedBy: readonly string[],
  stream: IssueId | null = null,
): FlowTask => {
  const subject: TaskSubject = {
    phase,
    stream,
    issues: ids.flatMap((id) => index.byId.get(id) ?? []),
    span,
    blockedBy,
    gate: phase === 'review' && options.review === 'human' ? 'human' : null,
  };
  return createFlowTask(subject);
};
