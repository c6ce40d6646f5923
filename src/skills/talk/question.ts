import { z } from 'zod';

/** One choice of a question. */
const choiceSchema = z.object({ id: z.string(), label: z.string(), detail: z.string().default('') });

/** A question of a conversation as its journal keeps it (`session/forms/question.ts`). */
export const talkQuestionSchema = z.object({
  id: z.string(),
  kind: z.enum(['words', 'lines', 'choice', 'choices', 'approve']),
  text: z.string(),
  help: z.string().default(''),
  options: z.array(choiceSchema).readonly().default([]),
  offered: z.string().default(''),
  optional: z.boolean().default(false),
});
