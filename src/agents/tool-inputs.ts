import { z } from 'zod';
import { knowledgeCategories } from '../session/knowledge.ts';

/** The most characters of one text from an agent. Longer text belongs into a file, not into the journal or on the screen. */
const longText = 65_536;
const shortText = 4_000;

/** `task_update`: the state of the work. Without `outcome` it is a note for people. */
export const taskUpdateSchema = z.strictObject({
  status: z
    .enum(['in_progress', 'completed', 'failed', 'blocked'])
    .default('in_progress')
    .describe('in_progress while you work; the other values end your turn and need an outcome'),
  note: z.string().max(shortText).optional().describe('one line for the people watching'),
  metadata: z
    .record(
      z.string().regex(/^[A-Za-z][\w.-]{0,63}$/u),
      z.union([z.string().max(shortText), z.number(), z.boolean()]),
    )
    .optional()
    .describe('facts that later tasks need, by name'),
  outcome: z
    .looseObject({})
    .optional()
    .describe('the JSON object that the section "Answer" of your prompt asks for'),
});

/** `ask_person`: a decision that only a person can make. */
export const personQuestionSchema = z.strictObject({
  question: z
    .string()
    .trim()
    .min(1)
    .max(shortText)
    .describe('one question, with what is needed to answer it'),
  options: z
    .array(z.string().trim().min(1).max(200))
    .max(9)
    .default([])
    .describe('answers to choose from; the person can always answer in their own words instead'),
});

/** `stage_knowledge`: a document for the knowledge gate. */
export const knowledgeNoteSchema = z.strictObject({
  category: z.enum(knowledgeCategories),
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.md$/u)
    .describe('file name without a directory, ending in .md'),
  body: z.string().min(1).max(longText).describe('Markdown that begins with a title'),
  sources: z.array(z.string().max(400)).max(50).default([]).describe('files and reports that show it'),
});

export type TaskUpdate = z.infer<typeof taskUpdateSchema>;
export type PersonQuestion = z.infer<typeof personQuestionSchema>;
export type KnowledgeNote = z.infer<typeof knowledgeNoteSchema>;

export interface AskedPerson {
  /** The name that an ANSWER uses: `ask:task-3:1`. */
  readonly request: string;
  /** The answer, or `null` if the worker ends first. Never rejects. */
  readonly answered: Promise<string | null>;
}

export type StageAnswer =
  | { readonly kind: 'staged'; readonly file: string }
  | { readonly kind: 'refused'; readonly wrong: string };
