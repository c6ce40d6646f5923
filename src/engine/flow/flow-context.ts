import { type Checked, FaultError, formatFault } from '../../base/fault.ts';
import type { Issue, IssueId } from '../../issues/issue.ts';
import { isHeldByOther } from '../../issues/lock.ts';
import type { IssueChange, Tracker } from '../../issues/trackers/tracker.ts';
import type { FlowState, Moved } from '../../pipeline/modes/flow/flow-state.ts';
import { type Listed, listOf } from '../../pipeline/modes/flow/flow-tasks.ts';
import type { Core } from '../core.ts';
import type { OpenChanges } from '../open-changes.ts';
import type { FlowPort } from './flow-port.ts';

/** What the steps of a flow share. */
export interface FlowContext {
  readonly core: Core;
  readonly port: FlowPort;
  readonly changes: OpenChanges;
  /** Runs work that moves the person's branch. */
  readonly ours: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Ends a step that another session, or a person, made impossible: the task is off, and the others continue. */
export class LostIssues extends Error {
  /** The issue that is not in the tracker any more: the step is taken again without it. */
  readonly gone: IssueId | null;

  constructor(reason: string, gone: IssueId | null = null) {
    super(reason);
    this.gone = gone;
  }
}

/** Ends a step whose task a person opened again meanwhile: the next attempt has its own. */
export class Overtaken extends Error {}

/** Throws when the step under way has lost its task to a new attempt. */
export const stillWanted = (context: FlowContext): void => {
  if (flowOf(context).overtaken) throw new Overtaken('its task was reopened in the meantime');
};

export const flowOf = ({ core }: FlowContext): FlowState => {
  const { flow } = core.loop.state();
  if (flow === null) throw new Error('the session does not work on issues');
  return flow;
};

/** A task of the list; throws for one that is not in it, which is a defect. */
export const listedTask = (context: FlowContext, id: string): Listed => {
  const found = listOf(context.core.loop.state(), flowOf(context)).find(({ listed }) => listed.id === id);
  if (found === undefined) throw new Error(`no task ${id} in the list`);
  return found;
};

/** The value of a tracker's answer, or its fault thrown. */
export const answered = <T>(checked: Checked<T>): T => {
  if (checked.ok) return checked.value;
  throw new FaultError(checked.faults[0] ?? { code: 'unexpected', what: 'the tracker gave no reason' });
};

/** Tries of a change that someone else overtakes each time. */
const mostTries = 5;

/**
 * Changes an issue as it is now: reads it, asks `edit` for the change, and writes it unless the issue changed in between; then it reads again. `null`
 * from `edit` leaves it, and so does the lock of another session that may live. Gives the issue before and after.
 */
export const changeIssue = async (
  context: FlowContext,
  id: IssueId,
  edit: (issue: Issue) => IssueChange | null,
): Promise<{ readonly before: Issue; readonly after: Issue }> => {
  const { tracker } = context.port;
  for (let tries = 1; ; tries += 1) {
    const before = await showIssue(tracker, id);
    const change = edit(before);
    if (change === null || isElsewhere(context, before)) return { before, after: before };
    stillWanted(context);
    const updated = await tracker.update(id, change, before.revision);
    if (updated.ok) return { before, after: updated.value };
    const [fault] = updated.faults;
    if (fault?.code !== 'issue-changed' || tries >= mostTries) answeredFor(id, updated);
  }
};

/** Whether another session works on the issue, as far as one can tell. */
const isElsewhere = (context: FlowContext, issue: Issue): boolean => {
  if (!isHeldByOther(issue, flowOf(context).holder)) return false;
  const holder = issue.lock?.holder ?? null;
  return holder === null || context.port.liveness(holder) !== 'dead';
};

/** The issues that nobody deleted, as far as the session knows. */
export const notGone = (context: FlowContext, issues: readonly IssueId[]): readonly IssueId[] => {
  const { gone } = flowOf(context);
  return issues.filter((id) => !gone.includes(id));
};

/** An issue as it is now. */
export const showIssue = async (tracker: Tracker, id: IssueId): Promise<Issue> =>
  answeredFor(id, await tracker.show(id));

/** The answer about an issue. One that somebody deleted is lost, whatever was asked; what else fails says nothing of it. */
export const answeredFor = <T>(id: IssueId, checked: Checked<T>): T => {
  if (!checked.ok && checked.faults[0]?.code === 'issue-unknown')
    throw new LostIssues(`issue ${id} no longer exists`, id);
  return answered(checked);
};

/** The record of a move, if the issue is elsewhere than the session knew. */
export const movedFrom = (flow: FlowState, after: Pick<Issue, 'id' | 'state'>): readonly Moved[] => {
  const known = flow.reading?.issues.find(({ id }) => id === after.id);
  return known === undefined || known.state === after.state
    ? []
    : [{ issue: after.id, from: known.state, to: after.state }];
};

/** A tracker's fault in one sentence with the hint. */
export const sentenceOf = (error: unknown): string =>
  error instanceof FaultError
    ? formatFault(error.fault)
    : error instanceof Error
      ? error.message
      : String(error);
