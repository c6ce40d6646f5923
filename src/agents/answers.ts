import { z } from 'zod';
import { knowledgeCategories } from '../session/knowledge.ts';
import { questionCategories } from '../session/questions.ts';
import { decidedSchema } from '../signals/steer-decision.ts';
import { taskDefinitionSchema } from '../tasks/task.ts';
import { commandResultSchema, failedCommandSchema } from './command-result.ts';

/**
 * Answers of a backend's turns, checked before a procedure uses them (src/engine/README.md, Roles). Lists may be missing: a model without blockers leaves them
 * out.
 */
const list = z.array(z.string()).readonly().default([]);

/** A success criterion and the evidence for it. */
export const criterionSchema = z.object({
  criterion: z.string(),
  status: z.enum(['met', 'not met', 'not checked']),
  evidence: z.string().default(''),
});
export type Criterion = z.infer<typeof criterionSchema>;

/** The result of a STEER in the report's form. */
export const steerTraceSchema = z.object({
  id: z.string(),
  text: z.string(),
  verdict: decidedSchema,
  evidence: z.string(),
  action: z.string(),
});
export type SteerTrace = z.infer<typeof steerTraceSchema>;

const steers = z.array(steerTraceSchema).readonly().default([]);

/** `implement`: an Executor's work on one task. */
export const implementAnswerSchema = z.object({
  status: z.enum(['completed', 'failed', 'blocked']),
  summary: list,
  files_modified: list,
  criteria: z.array(criterionSchema).readonly().default([]),
  verification: list,
  feedback_addressed: list,
  discovered_tasks: list,
  blockers: list,
  steers,
  /** The text of the STEER that redefined the task. */
  escalation: z.string().optional(),
  /** Another attempt would fail the same way: a command is missing, not executable or cannot start. */
  hopeless: z.literal(true).optional(),
  failed: failedCommandSchema.optional(),
  /** Mode `flow`: what the phase asks for, and its document. */
  result: z.record(z.string(), z.unknown()).optional(),
  document: z.string().optional(),
});
export type ImplementAnswer = z.infer<typeof implementAnswerSchema>;

/** `review`: a Reviewer's verdict on one attempt. */
export const reviewAnswerSchema = z.object({
  verdict: z.enum(['Qualified', 'Failed']),
  summary: list,
  criteria: z.array(criterionSchema).readonly().default([]),
  issues: list,
  actions: list,
  reasoning: z.string().default(''),
  feedback: z.string().default(''),
  steers,
  /** What code sees of the criteria. */
  looked: z.array(criterionSchema).readonly().optional(),
  /** The `verify` commands that ran. */
  verification: z.array(commandResultSchema).readonly().default([]),
  failed: failedCommandSchema.optional(),
  escalation: z.string().optional(),
});
export type ReviewAnswer = z.infer<typeof reviewAnswerSchema>;

/** `commit`: what happened to the attempt's files in version control. */
export const commitAnswerSchema = z.object({
  status: z.enum(['success', 'failed', 'skipped']),
  commit: z.string().optional(),
  detail: z.string().default(''),
  files: list,
  unattributed: list,
  /** The hooks that nobody has looked at, because of which git did not run. */
  unseen: z.array(z.string()).readonly().optional(),
  /** Git was stopped with the role. */
  stopped: z.enum(['abort', 'cancel']).optional(),
});
export type CommitAnswer = z.infer<typeof commitAnswerSchema>;

/** `review-session`: the iteration's verdict. */
export const sessionReviewAnswerSchema = z.object({
  assessment: z.string(),
  goals_achieved: z.boolean(),
  gaps: list,
  results: z
    .array(
      z.object({
        task: z.string(),
        title: z.string().default(''),
        status: z.string(),
        evidence: z.string().default(''),
      }),
    )
    .readonly()
    .default([]),
  next_action: z.string().default(''),
});
export type SessionReviewAnswer = z.infer<typeof sessionReviewAnswerSchema>;

/** `initialize`: which parts of the layout exist. */
export const initializeAnswerSchema = z.object({
  instructions_exist: z.boolean().default(false),
  plan_exists: z.boolean().default(false),
  approach: list,
});

/** `breakdown`, `update`, `rebreakdown`, `rebreakdown-task`: a plan, its tasks, and the reasons for them. */
export const planAnswerSchema = z.object({
  approach: list,
  notes: list,
  tasks: z.array(taskDefinitionSchema).readonly(),
  /** The plan's current text, if one exists. */
  plan: z.string().nullable().default(null),
});
export type PlanAnswer = z.infer<typeof planAnswerSchema>;

/** A question as `questions/<category>.md` stores it. `answer` is '' until there is one. */
export const askedQuestionSchema = z.object({
  category: z.enum(questionCategories),
  id: z.string(),
  question: z.string(),
  priority: z.string().default(''),
  impact: z.string().default(''),
  cycle: z.number().int(),
  answer: z.string().default(''),
  source: z.string().default(''),
  confidence: z.string().default(''),
});
export type AskedQuestion = z.infer<typeof askedQuestionSchema>;

/** `brainstorm` and `open-questions`: all questions of the files, with the new ones. */
export const questionsAnswerSchema = z.object({
  questions: z.array(askedQuestionSchema).readonly(),
  /** The number of new ones. */
  generated: z.number().int().default(0),
});

/** `research` and `analyse`: the result for one question or issue. `answer` is '' if the repository has none. */
export const researchAnswerSchema = z.object({
  answer: z.string(),
  /** The evidence: files with lines, sizes. */
  source: z.string().default(''),
  confidence: z.string().default(''),
  /** The finding endangers the goal. */
  critical: z.boolean().default(false),
});
export type ResearchAnswer = z.infer<typeof researchAnswerSchema>;

/** `research` and `analyse` of an agent: all questions in one turn, by id. */
export const researchAllAnswerSchema = z.object({
  answers: z.array(researchAnswerSchema.extend({ id: z.string() })).readonly(),
});

/** `brainstorm` of an agent: only new questions, without ids. */
export const newQuestionsSchema = z.object({
  questions: z
    .array(askedQuestionSchema.pick({ category: true, question: true, priority: true, impact: true }))
    .readonly(),
});

/** `critical-issues`: the faults that the feedback names. */
export const issuesAnswerSchema = z.object({
  issues: z
    .array(
      z.object({
        id: z.string(),
        text: z.string(),
        evidence: z.string().default(''),
        fix: z.string().default(''),
      }),
    )
    .readonly(),
});
export type IssuesAnswer = z.infer<typeof issuesAnswerSchema>;

export const knowledgeItemSchema = z.object({
  category: z.enum(knowledgeCategories),
  /** A file name without a directory. */
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.md$/),
  /** Markdown with its title. */
  body: z.string(),
  source_artifacts: list,
  source_iteration: z.number().int(),
  staged_at: z.string(),
  carried_from_iteration: z.number().int().nullable().default(null),
  original_staged_at: z.string().nullable().default(null),
  carry_reason: z.string().nullable().default(null),
});
export type KnowledgeItem = z.infer<typeof knowledgeItemSchema>;

/** `collect`: the lessons of the run, and unpromoted documents of earlier iterations. */
export const collectAnswerSchema = z.object({
  items: z.array(knowledgeItemSchema).readonly(),
  dropped: list,
});

export type CollectAnswer = z.infer<typeof collectAnswerSchema>;

/** `promote`: the documents to write, and those skipped because somebody else's document has their name. */
export const promoteAnswerSchema = z.object({
  documents: z
    .array(
      z.object({
        /** Relative to `knowledge/`. */
        file: z.string(),
        /** The staged file with `promoted_at`. */
        text: z.string(),
      }),
    )
    .readonly(),
  refused: list,
  /** `<docs_dir>/index.md` with the new lines. */
  index: z.string(),
});
