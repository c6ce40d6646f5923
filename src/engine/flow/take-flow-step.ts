import { assertNever } from '../../base/assert-never.ts';
import { FaultError } from '../../base/fault.ts';
import type { EventBody } from '../../pipeline/event.ts';
import type { FlowStep } from '../../pipeline/modes/flow/flow-state.ts';
import { decidePlan } from './decide-plan.ts';
import { draftPullRequest } from './draft-pull-request.ts';
import { type FlowContext, LostIssues, Overtaken, sentenceOf, stillWanted } from './flow-context.ts';
import { unseenCode } from './flow-port.ts';
import { giveBackIssues, lockIssues } from './lock-issues.ts';
import { pollGroup, readGroup } from './read-group.ts';
import { recordResult } from './record-result.ts';
import { seeIssues } from './see-issues.ts';
import { lookAtPullRequest, sendBack } from './watch-pull-request.ts';

/**
 * Takes one step of a flow and records how it ended. The pipeline asks for the next one only then; the same step after a crash finds what was done. A
 * fault of the tracker or of git stops the session, and its next start tries again.
 */
export const takeFlowStep = (context: FlowContext, step: FlowStep): void => {
  const { core, changes } = context;
  const { loop } = core;
  const commit = (body: EventBody): void => {
    // The session may have been aborted and started again meanwhile.
    if (loop.isOpen()) loop.run(() => loop.commit(body));
  };
  const task = 'task' in step ? { task: step.task } : {};
  const refused = (error: unknown): EventBody => {
    const reason = sentenceOf(error);
    if (error instanceof Overtaken) return { type: 'flow.step-refused', reason, lost: true };
    if (!(error instanceof LostIssues))
      return {
        type: 'flow.step-refused',
        ...task,
        reason,
        lost: false,
        ...(isUnseen(error) ? { unseen: true } : {}),
        ...(isAway(error) ? { away: true } : {}),
      };
    const { gone } = error;
    return { type: 'flow.step-refused', ...task, reason, lost: true, ...(gone === null ? {} : { gone }) };
  };
  const taken = async (): Promise<EventBody> => {
    stillWanted(context);
    const fact = await take(context, step);
    stillWanted(context);
    return fact;
  };
  void changes.during(taken().then(commit, (error: unknown) => commit(refused(error))));
};

/** Something changed that a person has to look at before this program goes on. */
const isUnseen = (error: unknown): boolean => error instanceof FaultError && error.fault.code === unseenCode;

/** What may answer again without a person: the network, a limit, a server that fails. */
const awayCodes: ReadonlySet<string> = new Set([
  'tracker-down',
  'tracker-failed',
  'tracker-rate-limit',
  'tracker-timeout',
]);

const isAway = (error: unknown): boolean => error instanceof FaultError && awayCodes.has(error.fault.code);

const take = (context: FlowContext, step: FlowStep): Promise<EventBody> => {
  switch (step.kind) {
    case 'read':
      return readGroup(context);
    case 'poll':
      return pollGroup(context);
    case 'lock':
      return lockIssues(context, step.task);
    case 'see-issues':
      return seeIssues(context, step);
    case 'record':
      return recordResult(context, step.task);
    case 'draft':
      return draftPullRequest(context, step.task);
    case 'decide':
      return decidePlan(context, step);
    case 'look':
      return lookAtPullRequest(context, step.task);
    case 'send-back':
      return sendBack(context, step);
    case 'give-back':
      return giveBackIssues(context, step);
    default:
      return assertNever(step);
  }
};
