import { commit } from './commit.ts';
import { implement } from './implement.ts';
import { breakdown, initialize } from './plan.ts';
import { review } from './review.ts';
import { reviewSession } from './review-session.ts';
import type { ScriptTurn } from './script-turn.ts';
import { rebreakdownTask } from './split-task.ts';

/** What the scripted agent can be asked, by the `kind` of the turn. */
export const scriptTurns: Readonly<Record<string, ScriptTurn>> = {
  initialize,
  breakdown,
  'rebreakdown-task': rebreakdownTask,
  implement,
  review,
  commit,
  'review-session': reviewSession,
};
