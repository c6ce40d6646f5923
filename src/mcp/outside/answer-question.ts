import { z } from 'zod';
import { defineTool, type ToolAnswer } from '../tool.ts';
import type { OutsideCalls } from './outside-calls.ts';

/** Answers a question that an agent asked. */
export const answerQuestion = defineTool({
  name: 'answer_question',
  description:
    "Answers an agent's question, with one of its options or in your own words. The first answer wins. Only a person may decide on plans, permissions, reviews and merges.",
  input: z.strictObject({
    request: z.string().min(1).max(400).describe('as list_questions names it'),
    option: z.string().min(1).max(200).optional(),
    message: z.string().trim().min(1).max(8_000).optional(),
  }),
  readOnly: false,
  run: (calls: OutsideCalls, answer): ToolAnswer =>
    answer.option === undefined && answer.message === undefined
      ? { failed: true, body: { error: 'No answer was given: give an option or a message.' } }
      : calls.answer(answer),
});
