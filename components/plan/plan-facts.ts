import { safe } from '../../src/base/safe.ts';
import { flowTaskOf } from '../../src/issues/task-list/stored-task.ts';
import type { OpenQuestion } from '../../src/pipeline/questions/open-questions.ts';
import { timeOfPlan } from '../../src/pipeline/scheduling/time-left.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { graphOf } from '../../src/pipeline/waves.ts';
import { countTasks } from '../../src/tasks/count-tasks.ts';
import { longestChain } from '../../src/tasks/longest-chain.ts';
import { timeWords } from '../../src/words/left-words.ts';
import { count } from '../../src/words/local-time.ts';
import { shortQuestion } from '../../src/words/question-words.ts';
import { costWord } from '../../src/words/usage-words.ts';

/** How many tasks the plan in question has, if it was split into tasks already, and which version it is. */
export const planFacts = (session: SessionState, question: OpenQuestion): string => {
  const { tasks, version } =
    question.kind === 'plan'
      ? { tasks: countTasks(session.tasks).total, version: session.planWords.length + 1 }
      : issuePlan(session, question);
  return [
    tasks === 0 ? 'no tasks yet' : count(tasks, 'task'),
    ...(question.kind === 'plan' && tasks > 0 ? expectedWords(session) : []),
    version > 1 ? `version ${version}` : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
};

/** The tasks that implement the issues of the review, without those that others replaced; each round of it has a plan of its own. */
const issuePlan = (session: SessionState, { task }: OpenQuestion) => {
  const definition = session.tasks.get(task ?? '')?.definition;
  const review = definition === undefined ? null : flowTaskOf(definition);
  const tasks = [...session.tasks.values()].filter(({ definition: each }) => {
    const own = flowTaskOf(each);
    const isOfPlan = own?.phase === 'implement' && each.replaced_by.length === 0;
    return isOfPlan && own.issues.some((issue) => review?.issues.includes(issue));
  });
  return { tasks: tasks.length, version: review?.round ?? 1 };
};

/** The plan in question for a list: what it is for, how much it is, and last its file. */
export const planSummary = (session: SessionState, question: OpenQuestion): readonly string[] => {
  const isOfSession = question.kind === 'plan';
  const asked = session.planWords.at(-1)?.text;
  return [
    isOfSession ? safe(session.goal) : safe(shortQuestion(question.text)),
    `${planFacts(session, question)}${isOfSession && asked !== undefined ? `, after "${safe(asked)}"` : ''}`,
    isOfSession ? `iterations/${session.iteration}/plan.md` : safe(question.document ?? ''),
  ].filter((row) => row !== '');
};

/** How many tasks wait for each other at most; and how long the tasks take and what they cost, as far as earlier sessions say. */
const expectedWords = (session: SessionState): readonly string[] => {
  const chain = longestChain(graphOf(session), () => true).length;
  const time = timeOfPlan(session);
  const cost = session.earlier.usual?.cost ?? null;
  const tasks = countTasks(session.tasks).total;
  return [
    chain < 2 ? '' : chain === tasks ? 'all one after another' : `${chain} of them one after another`,
    time === null ? '' : timeWords(time),
    cost === null ? '' : `about ${costWord({ ...cost, amount: cost.amount * tasks })}`,
  ];
};
