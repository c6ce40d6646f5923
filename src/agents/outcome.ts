import { z } from 'zod';
import { late } from '../base/memoise.ts';
import { commandResultSchema, failedCommandSchema } from './command-result.ts';

const base = () => ({
  status: z.enum(['completed', 'failed', 'blocked', 'paused']),
  blockers: z.array(z.string()).readonly(),
});

/** Planner: INITIALIZE, TASK_BREAKDOWN, UPDATE, REBREAKDOWN, REBREAKDOWN_TASK (src/engine/README.md, Roles). */
const plannerOutcomeSchema = () =>
  z.object({
    role: z.literal('Planner'),
    ...base(),
    mode: z.string(),
    iteration: z.number().int(),
    artifacts_created: z.array(z.string()).readonly(),
    artifacts_updated: z.array(z.string()).readonly(),
    tasks_defined: z.number().int(),
    waves_planned: z.number().int(),
    next_action: z.string(),
  });

/** Questioner: brainstorm, research, feedback-analysis. */
const questionerOutcomeSchema = () =>
  z.object({
    role: z.literal('Questioner'),
    ...base(),
    mode: z.string(),
    cycle: z.number().int(),
    category: z.string(),
    questions_generated: z.number().int(),
    questions_answered: z.number().int(),
    files_updated: z.array(z.string()).readonly(),
    critical_findings: z.array(z.string()).readonly(),
  });

const executorOutcomeSchema = () =>
  z.object({
    role: z.literal('Executor'),
    ...base(),
    task_id: z.string(),
    iteration: z.number().int(),
    attempt_number: z.number().int(),
    report_path: z.string(),
    success_criteria_met: z.boolean(),
    criteria_breakdown: z.object({
      total: z.number().int(),
      met: z.number().int(),
      not_met: z.number().int(),
    }),
    files_modified: z.array(z.string()).readonly(),
    feedback_addressed: z.array(z.string()).readonly(),
    discovered_tasks: z.array(z.string()).readonly(),
    /** Another attempt would fail the same way. */
    hopeless: z.literal(true).optional(),
    /** The command that failed. */
    failed: failedCommandSchema.optional(),
    /** Mode `flow`: what the phase asks for; `draft` is the document, relative to the session. */
    result: z.record(z.string(), z.unknown()).optional(),
  });

/** Reviewer: TASK_REVIEW (verdict) and SESSION_REVIEW (assessment). */
const reviewerOutcomeSchema = () =>
  z.object({
    role: z.literal('Reviewer'),
    ...base(),
    mode: z.enum(['TASK_REVIEW', 'SESSION_REVIEW']),
    verdict: z.enum(['Qualified', 'Failed']).optional(),
    criteria_results: z.record(z.string(), z.enum(['met', 'not met', 'not checked'])),
    feedback: z.string(),
    /** The `verify` commands that ran before the review. */
    verification: z.array(commandResultSchema).readonly().optional(),
    /** The first command that failed. */
    failed: failedCommandSchema.optional(),
    /** The person who gave the verdict. */
    reviewed_by: z.string().optional(),
    commit_status: z.enum(['success', 'failed', 'skipped']),
    /** The commit's hash, if one was made. */
    commit: z.string().optional(),
    /** One line that says why no commit was made. */
    commit_detail: z.string().optional(),
    /** Changed hooks that nobody was there to look at. */
    commit_unseen: z.array(z.string()).readonly().optional(),
    assessment: z.string().optional(),
    goals_achieved: z.boolean().optional(),
    gaps: z.array(z.string()).readonly(),
    next_action: z.string(),
  });

/** Librarian: STAGE (staged, dropped, carried) and PROMOTE (promoted). Paths are relative to `knowledge/`. */
const librarianOutcomeSchema = () =>
  z.object({
    role: z.literal('Librarian'),
    ...base(),
    mode: z.enum(['STAGE', 'PROMOTE']),
    staged: z.array(z.string()).readonly(),
    dropped: z.array(z.string()).readonly(),
    carried: z.array(z.string()).readonly(),
    promoted: z.array(z.string()).readonly(),
  });

/** The outcome of an invocation, checked once when a backend's answer enters (src/README.md, invariant 8). */
export const outcomeSchema = late(() =>
  z.discriminatedUnion('role', [
    plannerOutcomeSchema(),
    questionerOutcomeSchema(),
    executorOutcomeSchema(),
    reviewerOutcomeSchema(),
    librarianOutcomeSchema(),
  ]),
);
export type Outcome = z.infer<ReturnType<typeof outcomeSchema>>;
export type OutcomeOf<R extends Outcome['role']> = Extract<Outcome, { role: R }>;
