import { personQuestionSchema } from '../../agents/tool-inputs.ts';
import { defineTool, type ToolAnswer } from '../tool.ts';

/** Puts a question into the needs-you queue. Waits once for a limited time; a later answer arrives as a new prompt. */
export const askPerson = defineTool({
  name: 'ask_person',
  description:
    'Asks the person in charge a question that neither the repository nor your prompt answers, and that you cannot decide yourself. Waits a short time for the answer.',
  input: personQuestionSchema,
  readOnly: false,
  run: async (calls, question, patience): Promise<ToolAnswer> => {
    const { request, answered } = calls.ask(question);
    const answer = await patience.until(answered.then((text) => ({ text })));
    if (answer !== 'late' && answer.text !== null)
      return { body: { request, answered: true, answer: answer.text } };
    return { body: { request, answered: false, next: notYet } };
  },
});

const notYet =
  'Nobody has answered yet. End your turn now: you will be prompted again with the answer. Do not ask again and do not guess.';
