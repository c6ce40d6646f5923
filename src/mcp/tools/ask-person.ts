import { personQuestionSchema } from '../../agents/tool-inputs.ts';
import { defineTool, type ToolAnswer } from '../tool.ts';

/** Puts a question into the needs-you queue. Waits once for a limited time; a later answer arrives as a new prompt. */
export const askPerson = defineTool({
  name: 'ask_person',
  description:
    'Asks the person in charge a question that neither the repository nor your prompt answers and that you cannot decide yourself. Waits a short time for the answer.',
  input: personQuestionSchema,
  readOnly: false,
  run: async (calls, question, patience): Promise<ToolAnswer> => {
    const { request, answered } = calls.ask(question);
    // A hold ends the wait at once: without a person there it is the question itself that holds the session.
    const answer = await patience.until(Promise.race([answered, calls.held().then(() => null)]));
    if (answer !== 'late' && answer !== null) return { body: { request, answered: true, answer } };
    return { body: { request, answered: false, next: notYet }, endsTurn: true };
  },
});

const notYet =
  'No answer yet. End your turn now: you will be prompted again with the answer. Do not ask again and do not guess.';
