import type { EventBody } from './event.ts';
import type { Part } from './step.ts';

/** Deadlines run on while held (src/engine/README.md), because the gate's decision starts no work. */
export const gateDeadline: Part = (state) => {
  if (state.gate?.gate !== 'knowledge' || !state.gate.expired) return null;
  // Headless without a configured deadline the gate closes as it opens. No deadline passed, and no person was asked.
  const asked = state.attended || state.settings.knowledge.approval_timeout !== 0;
  return carry(asked ? 'the deadline passed' : 'no person can decide here');
};

/** Without a decision, staged knowledge is carried to the next iteration. */
const carry = (by: string): EventBody => ({
  type: 'gate.decided',
  gate: 'knowledge',
  decision: 'carry',
  by,
  signal: null,
});
