import { abort } from './abort.ts';
import type { EventBody } from './event.ts';
import { settleInvocations } from './settle-invocations.ts';
import { stages } from './stages/index.ts';
import { carry } from './stages/knowledge-approval.ts';
import type { SessionState } from './state.ts';
import { firstOf, type Part } from './step.ts';
import { hold, limits, questions, unanswered } from './stop.ts';

/**
 * The one fact that follows from the state alone, or `null` when it waits. The engine commits it and asks again. Level-triggered: after a crash the
 * same state gives the same answer, so no follow-up can be lost. Abort comes first, then limits, then what ended is settled, then
 * questions and holds; only then does a stage start new work.
 */
export const next = (state: SessionState): EventBody | null => {
  if (!state.running) return null;
  const step = firstOf(parts, state);
  if (step === 'wait') return null;
  return step ?? stages[state.state](state) ?? unanswered(state);
};

/** Deadlines run on while held (engine.md): the gate's decision starts no work. */
const deadline: Part = (state) => {
  if (state.gate?.gate !== 'knowledge' || !state.gate.expired) return null;
  // Headless without a configured deadline the gate closes as it opens: nothing passed, nobody was asked.
  const asked = state.attended || state.settings.knowledge.approval_timeout !== 0;
  return carry(asked ? 'the deadline passed' : 'nobody is there to decide');
};

/** Whoever was paused by a hold goes on when it is over: the same invocation, the same attempt. */
const resume: Part = (state) => {
  if (state.quotaUntil !== null) return null;
  for (const invocation of state.invocations.values())
    if (invocation.stage === 'paused')
      return {
        type: 'invocation.resumed',
        invocation: invocation.id,
        messages: [...state.resumeMessages],
      };
  return null;
};

const parts: readonly Part[] = [abort, limits, settleInvocations, deadline, questions, hold, resume];
