import { z } from 'zod';
import { verdictSchema } from './signal.ts';

/** What a recipient can make of a STEER: a verdict of the decision tree, or one of the ends beside it. */
export const decidedSchema = z.enum([
  ...verdictSchema.options,
  'context',
  're-evaluated',
  'not followed',
  'no answer',
]);
export type Decided = z.infer<typeof decidedSchema>;

/** What became of a STEER, as events and `action_taken` have it. */
export interface SteerDecision {
  readonly verdict: Decided;
  readonly evidence: string;
  readonly action: string;
}

/** How the trace of a decision begins, in the words that other programs search for (src/session/README.md, Report). */
export const steerTraces = {
  restart: 'Restarted due to STEER',
  adjust: 'STEER applied in-place',
  escalate: 'STEER scope change',
  context: 'Added to the context',
  're-evaluated': 'Re-evaluated due to STEER',
  'not followed': 'STEER had no effect',
} as const;

/** `adjust: STEER applied in-place; evidence: …`, the `action_taken` of a STEER. */
export const formatDecision = ({ verdict, evidence, action }: SteerDecision): string => {
  const told = action.startsWith(verdict) ? action : `${verdict}: ${action}`;
  return `${told}${evidence ? `; evidence: ${evidence}` : ''}`;
};

/** Reads what `formatDecision` wrote; `null` for any other text. */
export const parseDecision = (text: string): SteerDecision | null => {
  const [, word, action, evidence = ''] = /^([a-z -]+): (.*?)(?:; evidence: (.*))?$/s.exec(text) ?? [];
  const verdict = decidedSchema.safeParse(word).data;
  return verdict === undefined || action === undefined ? null : { verdict, action, evidence };
};
