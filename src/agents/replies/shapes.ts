import { z } from 'zod';
import { knowledgeCategories } from '../../session/knowledge.ts';
import { questionCategories } from '../../session/questions.ts';
import { verdictSchema } from '../../signals/signal.ts';
import { planTaskSchema } from '../../tasks/plan-file.ts';
import { criterionSchema } from '../answers.ts';
import { knowledgeNoteSchema } from '../tool-inputs.ts';

/** The answers of agents. Prompts print these schemas, and they check the replies (src/engine/README.md, Roles). */

const lines = z.array(z.string()).default([]);

/** The result of a STEER by the agent's own judgement (src/signals/README.md, Types). */
const steers = z
  .array(
    z.object({
      id: z.string().describe('the id of the steering message'),
      verdict: verdictSchema,
      evidence: z.string().describe('the files, criteria or objective that the verdict is based on'),
    }),
  )
  .default([]);

const escalation = z
  .string()
  .optional()
  .describe('only when a STEER redefines the task: the text of that STEER; the status is then blocked');

export const implementShape = z.object({
  status: z
    .enum(['completed', 'failed', 'blocked'])
    .describe('completed only when you have checked every criterion yourself'),
  summary: lines.describe('what you changed and why'),
  files_modified: lines.describe(
    'every path that changed by your work, relative to the workspace: also by commands, such as lock files',
  ),
  criteria: z.array(criterionSchema).default([]).describe('every success criterion, word for word'),
  verification: lines.describe('what you ran and how it ended'),
  feedback_addressed: lines,
  discovered_tasks: lines.describe('work you noticed but did not do'),
  blockers: lines.describe('what stopped you, when status is failed or blocked'),
  steers,
  escalation,
});

export const reviewShape = z
  .object({
    verdict: z.enum(['Qualified', 'Failed']),
    summary: lines,
    criteria: z.array(criterionSchema).default([]).describe('every success criterion, word for word'),
    issues: lines,
    actions: lines.describe('what you ran or opened'),
    reasoning: z.string().default(''),
    feedback: z.string().default('').describe('what the next attempt must do; required when Failed'),
    steers,
    escalation,
  })
  .refine(({ verdict, feedback }) => verdict === 'Qualified' || feedback.trim() !== '', {
    error: 'is required when the verdict is Failed',
    path: ['feedback'],
  });

export const sessionReviewShape = z.object({
  assessment: z.string().min(1),
  goals_achieved: z.boolean(),
  gaps: lines,
  results: z
    .array(
      z.object({
        task: z.string().describe('its id'),
        title: z.string().default(''),
        status: z.string(),
        evidence: z.string().default(''),
      }),
    )
    .default([]),
  next_action: z.string().default(''),
});

const filesOfTask = planTaskSchema.shape.files
  .unwrap()
  .min(1)
  .describe(
    'every file or directory the task changes, relative to the workspace; tasks that share none can run in parallel',
  );

/** A task as plan.yaml has it (src/session/README.md): commands are shell lines, and `files` is required. */
const plannedTask = planTaskSchema
  .required({ id: true })
  // The agent does not decide a task's iteration, but some send it anyway.
  .extend({ files: filesOfTask, iteration: z.number().optional() });

export const breakdownShape = z.object({
  approach: lines.describe('how to reach the goal, in a few lines'),
  notes: lines.describe('decisions and their reasons'),
  tasks: z.array(plannedTask).min(1),
});

/** REBREAKDOWN may find nothing to do. */
export const rebreakdownShape = breakdownShape.extend({ tasks: z.array(plannedTask) });

export const splitShape = breakdownShape.extend({ tasks: z.array(plannedTask).min(1).max(4) });

export const updateShape = z.object({
  approach: lines,
  notes: z.array(z.string()).min(1).describe('what changes in the plan, and why'),
});

export const brainstormShape = z.object({
  questions: z
    .array(
      z.object({
        category: z.enum(questionCategories).exclude(['feedback-driven']),
        question: z.string().trim().min(1),
        priority: z.enum(['high', 'medium', 'low']).default('medium'),
        impact: z.string().default('').describe('what depends on the answer'),
      }),
    )
    .max(20)
    .describe('only questions that decide how the work is split or done; an empty list is a good answer'),
});

export const researchShape = z.object({
  answers: z.array(
    z.object({
      id: z.string().describe('the id of the question'),
      answer: z.string().describe('empty when the repository does not answer the question'),
      source: z.string().default('').describe('files and lines'),
      confidence: z.enum(['high', 'medium', 'low', '']).default(''),
      critical: z.boolean().default(false).describe('true when it endangers the goal'),
    }),
  ),
});

export const collectShape = z.object({
  items: z
    .array(knowledgeNoteSchema)
    .describe(`documents in ${knowledgeCategories.join(', ')}; may be empty`),
  dropped: lines.describe('what you left out, and why'),
});
