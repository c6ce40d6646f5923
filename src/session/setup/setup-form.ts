import type { Form } from '../forms/form.ts';
import { answerProblem, type SetupOffers, setupQuestions } from './questions.ts';
import { setupLines } from './setup-config.ts';

/** The questions of `init`, and what they will write. */
export const setupForm = (offers: SetupOffers): Form => ({
  questions: (answers) => setupQuestions(offers, answers),
  problem: answerProblem,
  result: (answers) => setupLines(offers, answers),
  confirm: 'Write this?',
  verbs: { confirm: 'write', leave: 'write nothing' },
});
