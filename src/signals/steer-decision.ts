/** What became of a STEER, as events and `action_taken` have it. */
export interface SteerDecision {
  readonly verdict: string;
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
} as const;

/** `adjust: STEER applied in-place; evidence: …`, the `action_taken` of a STEER. */
export const formatDecision = ({ verdict, evidence, action }: SteerDecision): string => {
  const told = action.startsWith(verdict) ? action : `${verdict}: ${action}`;
  return `${told}${evidence ? `; evidence: ${evidence}` : ''}`;
};

/** Reads what `formatDecision` wrote; `null` for any other text. */
export const parseDecision = (text: string): SteerDecision | null => {
  const [, verdict, action, evidence = ''] =
    /^(restart|adjust|escalate|context|re-evaluated|no answer): (.*?)(?:; evidence: (.*))?$/s.exec(text) ??
    [];
  return verdict === undefined || action === undefined ? null : { verdict, action, evidence };
};
