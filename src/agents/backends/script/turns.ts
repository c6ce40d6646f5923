import { commit } from './commit.ts';
import { implement } from './implement.ts';
import { review } from './review.ts';
import { reviewSession } from './review-session.ts';
import type { ScriptTurn } from './script-turn.ts';

/** What the scripted agent can be asked, by the `kind` of the turn. */
export const scriptTurns: Readonly<Record<string, ScriptTurn>> = {
  implement,
  review,
  commit,
  'review-session': reviewSession,
};
