import { abort } from './abort.ts';
import { tearDownStep } from './changes/tearing-down.ts';
import { turnAsked } from './changes/turning.ts';
import type { EventBody } from './event.ts';
import { gateDeadline } from './gate-deadline.ts';
import { modeOf, stageOf } from './modes/index.ts';
import { settleInvocations } from './settle-invocations.ts';
import type { SessionState } from './state.ts';
import { firstOf, type Part } from './step.ts';
import { askedInVain, hold, limits, questions, unanswered } from './stop.ts';

/**
 * The one fact that follows from the state alone, or `null` when the session waits. The engine commits it and
 * asks again. Level-triggered: after a crash the same state gives the same answer, so no fact is lost. Order:
 * abort, limits, settling of ended work, drain, questions, holds; only then does a stage start new work.
 */
export const next = (state: SessionState): EventBody | null => {
  if (!state.running) return null;
  const step = firstOf(parts, state);
  if (step === 'wait') return null;
  const body = step ?? stageOf(state)(state) ?? unanswered(state);
  if (body?.type !== 'session.stopped') return body;
  const first = tearDownStep(state) ?? body;
  return first === 'wait' ? null : first;
};

/** Resumes invocations that a hold paused, in the same attempt. */
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

/** A drain, or a stop that the mode decides by itself. */
const windDown: Part = (state) => modeOf(state).windDown(state);

const parts: readonly Part[] = [
  abort,
  limits,
  askedInVain,
  settleInvocations,
  turnAsked,
  windDown,
  gateDeadline,
  questions,
  hold,
  resume,
];
