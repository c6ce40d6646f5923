import type { Answerable } from '../../signals/check-answer.ts';
import { questionKinds } from '../../signals/question-kinds.ts';
import { countTasks } from '../../tasks/count-tasks.ts';
import type { TaskId } from '../../tasks/task.ts';
import type { SessionState } from '../state.ts';
import type { Question } from './question.ts';

/** A question that an ANSWER settles: one that was asked, or the gate of the plan. */
export interface OpenQuestion extends Answerable {
  readonly text: string;
  /** ISO 8601. */
  readonly since: string;
  readonly task: TaskId | null;
  /** The name of the agent that asks; `null` for a question of the session, and where the agent has ended. */
  readonly agent: string | null;
  /** `plan-review`: the plan, and the validator's critique, relative to the workspace. */
  readonly document?: string;
  readonly critique?: string;
}

/** The plan gate's request in an ANSWER. */
export const planRequest = 'plan';

/** The choice at the gate of the plan whose message is the whole edited plan. */
export const replaceOption = 'replace';

/** All open questions, the gate of the plan first. */
export const openQuestions = (state: SessionState): readonly OpenQuestion[] => [
  ...(state.gate?.gate === 'plan' ? [planQuestion(state, state.gate.opened)] : []),
  ...[...state.questions.values()]
    .filter(({ answer }) => answer === null)
    .map((question) => asOpen(state, question)),
];

/** The open question of this request; `null` when it is settled or unknown. */
export const openQuestion = (state: SessionState, request: string): OpenQuestion | null => {
  if (state.gate?.gate === 'plan' && request === planRequest) return planQuestion(state, state.gate.opened);
  const question = state.questions.get(request);
  return question === undefined || question.answer !== null ? null : asOpen(state, question);
};

/** The first question that the run waits for; `null` where it waits for none. */
export const holdingUp = ({ questions }: SessionState): Question | null =>
  [...questions.values()].find(({ kind, answer }) => answer === null && questionKinds[kind].holdsUp) ?? null;

const asOpen = (
  { invocations }: SessionState,
  { request, kind, text, options, asked, task, invocation, document, critique }: Question,
): OpenQuestion => ({
  request,
  kind,
  text,
  options,
  since: asked,
  task,
  agent: (invocation === null ? undefined : invocations.get(invocation)?.backend) ?? null,
  ...(document === null ? {} : { document }),
  ...(critique === null ? {} : { critique }),
});

const planQuestion = (state: SessionState, since: string): OpenQuestion => {
  const { total } = countTasks(state.tasks);
  const tasks = `${total} ${total === 1 ? 'task' : 'tasks'}`;
  return {
    request: planRequest,
    kind: 'plan',
    text: `Approve the plan (${tasks})? It is in iterations/${state.iteration}/plan.md.`,
    options: [
      { id: 'approve', label: 'the work begins' },
      { id: 'revise', label: 'back to the Planner, with your message', words: 'must' },
      { id: replaceOption, label: 'as you edited it', words: 'file' },
      { id: 'abort', label: 'end the session' },
    ],
    since,
    task: null,
    agent: null,
  };
};
