import { z } from 'zod';
import { talkQuestionSchema } from './question.ts';

const issueSchema = z.object({ id: z.string(), title: z.string() });

/** One line of the journal of a conversation: a fact, in the order in which it happened. */
export const entrySchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('started'),
    skill: z.string(),
    argument: z.string(),
    /** `form`: without a model. */
    mode: z.enum(['form', 'agent']),
    agent: z.string().nullable(),
    at: z.string(),
  }),
  /**
   * What the conversation is about: a path relative to the workspace, and only one conversation at a time may have it. `edits`: its result is that file
   * with changes, which are shown as a difference.
   */
  z.object({ type: z.literal('about'), path: z.string(), text: z.string(), edits: z.boolean() }),
  /** The issue that the conversation is about, by its name on the screen. */
  z.object({ type: z.literal('issue'), issue: issueSchema }),
  /** Where a plan is carried out: the session of its changes, and its branch. `null`: in the workspace itself. */
  z.object({
    type: z.literal('placed'),
    changes: z.string().nullable(),
    branch: z.string().nullable(),
    /** The person's branch then; absent in older conversations. */
    on: z.string().nullable().optional(),
  }),
  /** The phase of a plan that is worked on. Each has an agent of its own. */
  z.object({ type: z.literal('phase'), name: z.string() }),
  /** The agent's own id of its session, to continue it. */
  z.object({ type: z.literal('joined'), session: z.string() }),
  z.object({ type: z.literal('asked'), question: talkQuestionSchema }),
  z.object({ type: z.literal('answered'), id: z.string(), answer: z.string() }),
  z.object({ type: z.literal('said'), by: z.enum(['person', 'agent', 'program']), text: z.string() }),
  z.object({ type: z.literal('tool'), id: z.string(), title: z.string(), status: z.string() }),
  /** The agent did this without asking, and it was not allowed to: nothing of it is taken before the person answers. */
  z.object({ type: z.literal('overstepped'), text: z.string() }),
  /** The document as it is now; `problems` name what its schema misses. */
  z.object({ type: z.literal('drafted'), text: z.string(), problems: z.array(z.string()) }),
  z.object({ type: z.literal('kept'), path: z.string(), status: z.enum(['kept', 'draft']) }),
  z.object({ type: z.literal('made'), issue: issueSchema }),
  z.object({
    type: z.literal('spent'),
    input: z.number(),
    output: z.number(),
    /** Dollars; `null` where the agent names none. */
    cost: z.number().nullable(),
  }),
  /** `done`: nothing is left to do. `left`: the person left, and may continue. */
  z.object({ type: z.literal('ended'), why: z.enum(['done', 'left']) }),
]);
export type Entry = z.infer<typeof entrySchema>;
