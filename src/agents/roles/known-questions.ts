import { type AskedQuestion, questionsAnswerSchema } from '../answers.ts';
import type { RolePort } from '../port.ts';
import { takeTurn } from './passing.ts';

/** The iteration's questions and answers, read by code for an agent's prompt. Empty if they cannot be read. */
export const knownQuestions = async (port: RolePort): Promise<readonly AskedQuestion[]> => {
  if (!port.brief.model) return [];
  const ask = { kind: 'open-questions', prompt: '', messages: [] };
  const turn = await takeTurn(port, ask, null, questionsAnswerSchema);
  return turn.kind === 'answer' ? turn.answer.questions : [];
};
