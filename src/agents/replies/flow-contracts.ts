import { z } from 'zod';
import { taskPhaseSchema } from '../../issues/task-list/task-phase.ts';
import { implementAnswerSchema } from '../answers.ts';
import { type Contract, contract } from './contract.ts';
import { phaseKeys, turnKind } from './flow-shapes.ts';

const lines = z.array(z.string()).default([]);

/** Parts of every phase's answer. */
const common = {
  status: z
    .enum(['completed', 'failed', 'blocked'])
    .default('completed')
    .describe('completed only when all keys below are present'),
  summary: lines.describe('up to three lines for the comment on the issue'),
  blockers: lines.describe('what stopped you, when status is failed or blocked'),
};

/** The turn of one phase. A completed one has all keys, and one that failed says why. */
const phaseContract = (kind: string, keys: z.ZodRawShape): Contract => {
  const shape = z.object({ ...common, ...z.object(keys).partial().shape }).superRefine((answer, context) => {
    if (answer.status !== 'completed') return;
    const whole = z.object(keys).safeParse(answer);
    for (const issue of whole.error?.issues ?? []) context.addIssue({ ...issue });
  });
  return contract(
    kind,
    'IMPLEMENT',
    shape,
    implementAnswerSchema,
    ({ status, summary, blockers, ...rest }) => {
      const whole = z.object(keys).safeParse(rest);
      const { document, ...result } = whole.success ? whole.data : {};
      return {
        kind: 'answer',
        answer: {
          status,
          summary,
          blockers,
          ...(status === 'completed' ? { result: { ...result, summary: summary.join('\n') } } : {}),
          ...(typeof document === 'string' ? { document } : {}),
        },
      };
    },
  );
};

/** The turns of the phases whose agents hand in text. */
export const flowContracts: readonly Contract[] = taskPhaseSchema.options.flatMap((phase) => {
  const keys = phaseKeys[phase];
  return keys === null ? [] : [phaseContract(turnKind(phase), keys)];
});
