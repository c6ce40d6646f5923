import { z } from 'zod';
import type { Checked } from '../../base/fault.ts';
import { checkValue } from '../../tasks/schema-faults.ts';

/** The phases of tasks in the order of the work. */
export const taskPhaseSchema = z.enum([
  'split',
  'triage',
  'research',
  'plan',
  'review',
  'implement',
  'pr',
  'merge',
]);
export type TaskPhase = z.infer<typeof taskPhaseSchema>;

/** The roles of workers (`task.role`), never roles of the protocol, in the order of the work. */
export const taskRoles = ['analyst', 'builder', 'validator', 'integrator'] as const;
export type FlowRole = (typeof taskRoles)[number];

interface PhaseOfTask {
  readonly role: FlowRole;
  /** Before the name of the issue: `Research GH-42`. */
  readonly verb: string;
  /** The present continuous, for a screen: `Researching GH-42`. */
  readonly activeVerb: string;
  /** The keys without which a completion is not one (src/issues/README.md, The upfront task list). */
  readonly result: () => z.ZodType<Readonly<Record<string, unknown>>>;
}

const path = z.string().min(1);

/** The result of a review that a person gives alone: nobody has written a critique. */
export const leftToPerson = 'LEFT_TO_PERSON';

export const taskPhases: Readonly<Record<TaskPhase, PhaseOfTask>> = {
  split: {
    role: 'analyst',
    verb: 'Split',
    activeVerb: 'Splitting',
    result: () =>
      z.looseObject({
        sub_tickets: z.array(z.union([z.string(), z.looseObject({ title: z.string().min(1) })])).min(1),
        estimates: z.union([z.array(z.string()), z.record(z.string(), z.string())]),
      }),
  },
  triage: {
    role: 'analyst',
    verb: 'Triage',
    activeVerb: 'Triaging',
    result: () =>
      z.looseObject({ action: z.enum(['research', 'plan', 'split', 'close', 'cancel', 'escalate']) }),
  },
  research: {
    role: 'analyst',
    verb: 'Research',
    activeVerb: 'Researching',
    result: () => z.looseObject({ artifact_path: path }),
  },
  plan: {
    role: 'builder',
    verb: 'Plan',
    activeVerb: 'Planning',
    result: () => z.looseObject({ artifact_path: path, phase_count: z.number().int().positive() }),
  },
  review: {
    role: 'validator',
    verb: 'Review plan for',
    activeVerb: 'Reviewing the plan for',
    result: () =>
      z.union([
        z.looseObject({ result: z.enum(['APPROVED', 'NEEDS_ITERATION']), artifact_path: path }),
        z.looseObject({ result: z.literal(leftToPerson) }),
      ]),
  },
  implement: {
    role: 'builder',
    verb: 'Implement',
    activeVerb: 'Implementing',
    result: () => z.looseObject({ worktree: path }),
  },
  pr: {
    role: 'integrator',
    verb: 'Create PR for',
    activeVerb: 'Creating the PR for',
    result: () => z.looseObject({ pr_url: path }),
  },
  merge: {
    role: 'integrator',
    verb: 'Merge PR for',
    activeVerb: 'Merging the PR for',
    result: () => z.looseObject({ state: z.enum(['MERGED', 'CLOSED']) }),
  },
};

/** Checks the result keys of a completion, or the faults `task-result`: a completion without its keys is not one. */
export const checkResult = (
  task: { readonly id: string; readonly phase: TaskPhase },
  metadata: Readonly<Record<string, unknown>>,
): Checked<Readonly<Record<string, unknown>>> =>
  checkValue(
    taskPhases[task.phase].result(),
    metadata,
    { file: `result of ${task.id}`, line: null },
    'task-result',
  );
