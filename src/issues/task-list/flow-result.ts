import { z } from 'zod';
import { late } from '../../base/memoise.ts';
import type { FlowTask } from './flow-task.ts';

/**
 * The part of a task's result that the machine reads, by its phase: the keys that its agent handed in, and with `recorded` also those that the engine added
 * when it kept them. A key of another type than its reader needs is absent.
 */
const resultSchema = late(() => {
  const text = z.string().min(1).optional().catch(undefined);
  const texts = z
    .array(z.unknown())
    .transform((all) => all.filter((each) => typeof each === 'string'))
    .optional()
    .catch(undefined);
  const document = { draft: text, summary: text, artifact_path: text };
  return z.discriminatedUnion('phase', [
    z.object({
      phase: z.literal('triage'),
      action: z
        .enum(['research', 'plan', 'split', 'close', 'cancel', 'escalate'])
        .optional()
        .catch(undefined),
      reason: text,
    }),
    z.object({
      phase: z.literal('split'),
      /** The parts to make, and once they are made, their issues. */
      sub_tickets: z
        .array(
          z.union([
            z.string(),
            z.object({ title: z.string(), body: z.string().default(''), estimate: z.string() }),
          ]),
        )
        .optional()
        .catch(undefined),
      estimates: texts,
    }),
    z.object({ phase: z.literal('research'), ...document, issue: text, files: texts }),
    z.object({
      phase: z.literal('plan'),
      ...document,
      phase_count: z.number().optional().catch(undefined),
      criteria: texts,
    }),
    z.object({
      phase: z.literal('review'),
      ...document,
      /** As the validator handed it in, and as it was kept. */
      verdict: text,
      result: text,
      plan_path: text,
    }),
    z.object({ phase: z.literal('implement') }),
    z.object({ phase: z.literal('pr'), title: text, body: text, pr_url: text, branch: text }),
    z.object({ phase: z.literal('merge'), state: text, commit: text }),
  ]);
});

export type FlowResult = z.infer<ReturnType<typeof resultSchema>> & {
  /** Document, comments and states of a recorded result are in the tracker. */
  readonly recorded: boolean;
  /** All keys, as the event has them: what no code reads, other agents still do. */
  readonly keys: Readonly<Record<string, unknown>>;
};

/** Reads a result as an event has it. */
export const flowResult = (
  { phase }: Pick<FlowTask, 'phase'>,
  keys: Readonly<Record<string, unknown>>,
  recorded: boolean,
): FlowResult => ({ ...resultSchema().parse({ ...keys, phase }), recorded, keys });

/** The document of a result, relative to the workspace; absent where the phase has none. */
export const documentOf = (result: FlowResult | null): string | undefined =>
  result !== null && 'artifact_path' in result ? result.artifact_path : undefined;
