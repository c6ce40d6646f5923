import { questionKinds } from '../../signals/question-kinds.ts';
import type { SessionState } from '../state.ts';
import { openQuestion } from './open-questions.ts';

/** Whether this request is open and a person's to answer: everything that the engine asks. A program may answer an agent's own question. */
export const isForPerson = (state: SessionState, request: string): boolean => {
  const question = openQuestion(state, request);
  return question !== null && questionKinds[question.kind].onlyPerson;
};
