import { FaultError, formatFault } from '../../base/fault.ts';
import { sha256 } from '../../base/hash.io.ts';
import { type DocumentFile, filesOfIssue } from '../../issues/documents/find-document.ts';
import { planOfIssue } from '../../issues/documents/plan-of-issue.ts';
import { readDocuments } from '../../issues/documents/read-documents.ts';
import { groupOf } from '../../issues/group.ts';
import type { Issue, IssueId } from '../../issues/issue.ts';
import { type IssueIndex, indexIssues } from '../../issues/issue-index.ts';
import { deadLocks } from '../../issues/lock.ts';
import type { EventBody } from '../../pipeline/event.ts';
import { type FlowReading, flowReadingSchema, type Moved } from '../../pipeline/modes/flow/flow-state.ts';
import { answered, answeredFor, type FlowContext, flowOf, sentenceOf } from './flow-context.ts';
import { closeMerged } from './watch-pull-request.ts';

/**
 * Gives back the locks of dead sessions, then reads the group with everything its edges name. An issue that a person deletes while the others are
 * worked on ends only its own tasks; without any reading there is nothing to work on.
 */
export const readGroup = async (context: FlowContext): Promise<EventBody> => {
  const { port } = context;
  const { issue: first, only, reading } = flowOf(context);
  const before = await readAll(context);
  const members = groupOf(before, first, only)?.order ?? reading?.issues.map(({ id }) => id);
  if (members === undefined)
    throw new FaultError({
      code: 'issue-unknown',
      what: `issue ${first} no longer exists`,
      hint: 'see `ralph-tui issues`',
    });
  const held = members.flatMap((id) => before.byId.get(id) ?? []);
  const returned: Moved[] = [];
  for (const { issue, state } of deadLocks(held, port.liveness)) {
    answeredFor(issue.id, await port.tracker.update(issue.id, { state, lock: null }, issue.revision));
    returned.push({ issue: issue.id, from: issue.state, to: state });
  }
  const index = returned.length === 0 ? before : await readAll(context);
  return { type: 'issues.read', ...(await factsOf(context, index)), returned };
};

/** Whether the tracker still says what the session knows. Changes nothing. */
export const isAsKnown = async (context: FlowContext): Promise<boolean> => {
  const { port } = context;
  const index = await readAll(context);
  const { issue: first, only } = flowOf(context);
  const held = (groupOf(index, first, only)?.order ?? []).flatMap((id) => index.byId.get(id) ?? []);
  if (deadLocks(held, port.liveness).length > 0) return false;
  const facts = await factsOf(context, index);
  const known = flowOf(context).reading;
  return known !== null && textOf(facts) === textOf(known);
};

/** The same for equal readings, also for one that comes from the journal. */
const textOf = (reading: FlowReading): string => JSON.stringify(flowReadingSchema.parse(reading));

const factsOf = async (context: FlowContext, index: IssueIndex): Promise<FlowReading> => {
  const { core } = context;
  const { issue: first, only } = flowOf(context);
  // A member that is done connects nobody any more, but the session still works for the others.
  const known = (flowOf(context).reading?.issues ?? []).map(({ id }) => id);
  // One that was deleted may be back, with a lock of ours.
  const group = [...(groupOf(index, first, only)?.order ?? []), ...known, ...flowOf(context).gone];
  const { disk, paths } = core.options;
  const files = readDocuments(disk, paths.workspace, core.loop.state().settings.docs_root);
  const issues = withNeighbours(index, group);
  return {
    issues: issues.map(({ body: _body, comments: _comments, ...rest }) => rest),
    planned: await plannedIssues(context, issues, files),
    files: Object.fromEntries(issues.map((issue) => [issue.id, [...filesOfIssue(issue, files)]])),
  };
};

/** Closes what a person merged meanwhile, and reads the group again. A failed reading is reported, and nothing is concluded from it: unknown is not closed. */
export const pollGroup = async (context: FlowContext): Promise<EventBody> => {
  try {
    await closeMerged(context);
    return await readGroup(context);
  } catch (error) {
    const reason = sentenceOf(error);
    const { loop, problem } = context.core;
    const what = `the tracker cannot be read: ${reason}`;
    if (loop.isOpen()) loop.run(() => problem({ code: 'tracker-unread', what }));
    return { type: 'flow.step-refused', reason, lost: true };
  }
};

const readAll = async ({ core, port }: FlowContext): Promise<IssueIndex> => {
  const reading = await port.tracker.list();
  if (!reading.ok) throw new FaultError(reading.error);
  const index = indexIssues(reading.issues);
  const problems = [...reading.problems, ...index.problems];
  if (problems.length > 0 && core.loop.isOpen())
    core.loop.run(() => {
      for (const fault of problems) core.problem({ code: fault.code, what: formatFault(fault) });
    });
  return index;
};

/** The group, its parents and children, and the blockers outside. */
const withNeighbours = (index: IssueIndex, group: readonly IssueId[]): readonly Issue[] => {
  const wanted = new Set(group);
  for (const id of group) {
    const issue = index.byId.get(id);
    for (const other of [...(issue?.blockedBy ?? []), ...(issue?.parent === undefined ? [] : [issue.parent])])
      wanted.add(other);
    for (const child of index.childrenOf.get(id) ?? []) wanted.add(child.id);
  }
  return [...wanted].flatMap((id) => index.byId.get(id) ?? []);
};

/** Only an issue whose plan is in progress needs its document looked for. */
const plannedIssues = async (
  { port }: FlowContext,
  issues: readonly Issue[],
  files: readonly DocumentFile[],
): Promise<readonly IssueId[]> => {
  const planned: IssueId[] = [];
  for (const { id } of issues.filter(({ state }) => state === 'Plan in Progress')) {
    const shown = await port.tracker.show(id);
    if (!shown.ok && shown.faults[0]?.code === 'issue-unknown') continue;
    if (planOfIssue(answered(shown), port.own(), files, sha256) !== null) planned.push(id);
  }
  return planned;
};
