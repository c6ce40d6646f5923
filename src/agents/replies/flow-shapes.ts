import { z } from 'zod';
import type { Checked } from '../../base/fault.ts';
import { estimateSchema } from '../../issues/issue.ts';
import type { TaskPhase } from '../../issues/task-list/task-phase.ts';
import { checkValue } from '../../tasks/schema-faults.ts';

/** What agents hand in for the phases of a flow. The engine adds paths, addresses and states, which no agent knows. */

const text = z.string().trim().min(1);
const document = text.describe('the whole document, as Markdown without front matter');

/** The keys of each phase's result; `null`: the turn is that of any other task. */
export const phaseKeys = {
  triage: {
    action: z.enum(['research', 'plan', 'split', 'close', 'cancel', 'escalate']),
    reason: text.describe('why, in one sentence'),
  },
  split: {
    sub_tickets: z
      .array(z.object({ title: text, body: z.string().default(''), estimate: estimateSchema.default('S') }))
      .min(1)
      .describe('the parts in order, each XS or S'),
  },
  research: {
    document,
    files: z
      .array(z.string())
      .default([])
      .describe('every file or directory that the issue will change, relative to the workspace'),
  },
  plan: { document, phase_count: z.number().int().positive().describe('the number of phases in the plan') },
  review: { verdict: z.enum(['APPROVED', 'NEEDS_ITERATION']), document },
  implement: null,
  pr: {
    title: text.describe('one line'),
    body: text.describe(
      'what changed and why, and how it was verified; no closing keywords, because the program adds them',
    ),
  },
  merge: null,
} as const satisfies Readonly<Record<TaskPhase, z.ZodRawShape | null>>;

/** The kind of a turn: `implement` outside a flow, and for the phases that any other task has. */
export const turnKind = (phase: TaskPhase | undefined): string =>
  phase === undefined || phaseKeys[phase] === null ? 'implement' : `flow-${phase}`;

/** What stays of a document: its place in the session. */
const handedIn = (phase: TaskPhase): z.ZodType<Readonly<Record<string, unknown>>> => {
  const keys: z.ZodRawShape = phaseKeys[phase] ?? {};
  const { document: paper, ...rest } = keys;
  return z.looseObject({ ...rest, ...(paper === undefined ? {} : { draft: text }) });
};

/** Checks the result of a completed phase, or the faults `task-result`: a completion without its keys is not one. */
export const checkHandedIn = (
  phase: TaskPhase,
  result: Readonly<Record<string, unknown>>,
): Checked<Readonly<Record<string, unknown>>> =>
  checkValue(handedIn(phase), result, { file: `result of ${phase}`, line: null }, 'task-result');
