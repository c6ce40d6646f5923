import { oneLine } from '../../../agents/roles/markdown.ts';
import { afterRejection } from '../../../issues/task-list/change-task-list.ts';
import { leftToPerson } from '../../../issues/task-list/task-phase.ts';
import { planReviewRequest, type QuestionOption } from '../../../signals/question-kinds.ts';
import type { EventBody } from '../../event.ts';
import type { SessionState } from '../../state.ts';
import type { FlowState, FlowWork, PlanVerdict } from './flow-state.ts';
import type { Listed } from './flow-tasks.ts';
import { validator } from './plan-words.ts';
import { define } from './planning.ts';
import { standingOfFlow } from './position-of-flow.ts';
import { pullRequestStep, qualified } from './pull-request.ts';

/** Decides the next event for a result whose documents and comments are in the tracker. `null`: it waits for a person, or for another step. */
export const afterRecord = (state: SessionState, flow: FlowState, each: Listed): EventBody | null => {
  const { task, listed, work } = each;
  if (listed.phase === 'pr') return pullRequestStep(state, flow, each);
  if (listed.phase !== 'review') return qualified(each);
  if (work.verdict === 'approved') return qualified(each);
  if (work.verdict === 'again') return rejected(state, flow, each);
  if (work.verdict === 'refused')
    return { type: 'task.cancelled', task: listed.id, reason: task.reason ?? 'a person has to decide' };
  const judged = judge(state, flow, each);
  if (judged === null || 'type' in judged) return judged;
  return flow.step === null
    ? { type: 'flow.step-started', step: { kind: 'decide', task: listed.id, ...judged } }
    : null;
};

interface Judged {
  readonly verdict: PlanVerdict;
  readonly reason: string;
  readonly by: string;
}

/** The verdict on a plan. One that the validator sends back is not worth a person's time; one that it approves, or does not see, waits for a person at the human gate. */
const judge = (state: SessionState, flow: FlowState, each: Listed): Judged | EventBody | null => {
  const { listed, work } = each;
  // Nothing that nobody can read is approved.
  const critique = critiqueOf(work);
  const isThere = critique?.plan_path !== undefined;
  const isLeft = listed.gate === 'human' && critique?.result === leftToPerson;
  const isGood = isThere && (isLeft || critique.result === 'APPROVED');
  const reason = isThere ? (critique.summary ?? '') : 'no plan is linked';
  if (!isGood) {
    const standing = standingOfFlow(flow);
    const next = standing && afterRejection(standing.index, listed);
    return next?.kind === 'escalate'
      ? { verdict: 'refused', reason: next.reason, by: validator }
      : { verdict: 'again', reason, by: validator };
  }
  if (listed.gate === null) return { verdict: 'approved', reason, by: validator };
  const question = state.questions.get(planReviewRequest(listed.id));
  if (question === undefined) return asked(flow, each);
  if (question.answer === null) return null;
  const by = question.answeredBy ?? 'a person';
  const words = question.answer === question.option ? '' : question.answer;
  switch (question.option) {
    case 'major':
      return { verdict: 'again', reason: words, by };
    case 'approve':
    case 'minor':
      return { verdict: 'approved', reason: words, by };
    default:
      return { verdict: 'refused', reason: words === '' ? 'the plan was rejected' : words, by };
  }
};

const asked = (
  flow: FlowState,
  { task, listed, work }: Listed,
): Extract<EventBody, { type: 'question.asked' }> => {
  const { plan_path: plan, artifact_path: critique } = critiqueOf(work) ?? {};
  return {
    type: 'question.asked',
    request: planReviewRequest(listed.id),
    kind: 'plan-review',
    task: listed.id,
    attempt: Math.max(task.attempt, 1),
    text: `Approve the plan for ${listed.issues.length === 1 ? 'issue' : 'issues'} ${listed.issues.map(named(flow)).join(', ')}? ${plan === undefined ? '' : `It is in ${plan}`}${critique === undefined ? '.' : `, and the validator's critique is in ${critique}.`}`,
    options: planOptions,
    ...(plan === undefined ? {} : { document: plan }),
    ...(critique === undefined ? {} : { critique }),
    invocation: null,
  };
};

/** An issue by its id and the beginning of its title, which says more. */
const named =
  ({ reading }: FlowState) =>
  (id: string): string => {
    const title = oneLine(reading?.issues.find((issue) => issue.id === id)?.title ?? '');
    if (title === '') return id;
    return `${id} "${title.length > mostTitle ? `${title.slice(0, mostTitle - 1)}…` : title}"`;
  };

const mostTitle = 60;

const planOptions: QuestionOption[] = [
  { id: 'approve', label: 'the work begins' },
  { id: 'minor', label: 'the work begins, with your message', words: 'must' },
  { id: 'major', label: 'a new plan, with your message', words: 'must' },
  { id: 'reject', label: 'no plan: the issues wait for a person', words: 'may' },
];

/** A new plan and a new review take the place of this review. After three rejections the issues need a person, and the review is off. */
const rejected = (state: SessionState, flow: FlowState, { listed }: Listed): EventBody | null => {
  const standing = standingOfFlow(flow);
  if (standing === null) return null;
  const next = afterRejection(standing.index, listed);
  if (next.kind === 'escalate') return { type: 'task.cancelled', task: listed.id, reason: next.reason };
  const missing = next.added.filter(({ id }) => !state.tasks.has(id));
  if (missing.length > 0) return define(state, standing, missing);
  return { type: 'task.replaced', task: listed.id, by: [...(next.replaced.get(listed.id) ?? [])] };
};

/** The validator's verdict on a plan. */
const critiqueOf = ({ result }: FlowWork) => (result?.phase === 'review' ? result : null);
