import type { Message } from '../../../agents/port.ts';
import { flowTaskOf } from '../../../issues/task-list/stored-task.ts';
import type { SessionState, TaskState } from '../../state.ts';

/** Who sends a plan back before a person sees it. */
export const validator = 'the validator';

/** What persons said about the plan that this task writes again, or carries out. */
export const planWordsFor = ({ flow, tasks }: SessionState, task: TaskState): readonly Message[] => {
  const own = flowTaskOf(task.definition);
  if (flow === null || own === null) return [];
  const wanted = own.phase === 'plan' ? 'again' : own.phase === 'implement' ? 'approved' : null;
  return [...flow.works].flatMap(([id, { verdict, words }]) => {
    const definition = tasks.get(id)?.definition;
    const review = definition === undefined ? null : flowTaskOf(definition);
    if (words === null || verdict !== wanted || !review?.issues.some((issue) => own.issues.includes(issue)))
      return [];
    return [{ id: `plan:${id}`, kind: 'RETRY', text: words.text, from: words.by } as const];
  });
};
