import type { TaskDefinition } from '../../tasks/task.ts';
import type { ReviewAnswer } from '../answers.ts';
import type { PersonVerdict } from '../port.ts';

/** A person's verdict in the form of a review. Each line of the words is an issue. */
export const answerOfPerson = (task: TaskDefinition, { by, accepted, text }: PersonVerdict): ReviewAnswer => {
  const words = text.split('\n').filter((line) => line.trim() !== '');
  return {
    verdict: accepted ? 'Qualified' : 'Failed',
    summary: [`Reviewed by ${by}.`],
    criteria: task.criteria.map((criterion) => ({
      criterion,
      status: accepted ? 'met' : 'not checked',
      evidence: `${by} ${accepted ? 'accepted' : 'rejected'} the attempt`,
    })),
    issues: accepted ? [] : words,
    actions: ['A person reviewed the changes.'],
    reasoning: `${by} ${accepted ? 'accepted' : 'rejected'} it.`,
    feedback: accepted ? '' : text,
    steers: [],
    verification: [],
  };
};
