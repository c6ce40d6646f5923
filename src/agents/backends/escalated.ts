import type { TurnAsk, TurnResult } from '../port.ts';

/** The answer of a turn whose task a STEER redefines: the work stops, and the message goes to the Planner. */
export const escalated = (ask: TurnAsk, text: string): TurnResult => ({
  kind: 'answered',
  answer:
    ask.kind === 'review'
      ? { verdict: 'Failed', escalation: text }
      : { status: 'blocked', blockers: [`STEER scope change: ${text}`], escalation: text },
});
