import { brainstorm } from './brainstorm.ts';
import { collect } from './collect.ts';
import { commit } from './commit.ts';
import { implement } from './implement.ts';
import { breakdown, initialize } from './plan.ts';
import { promote } from './promote.ts';
import { openQuestions } from './question-files.ts';
import { criticalIssues, rebreakdown, update } from './replan.ts';
import { analyse, research } from './research.ts';
import { review } from './review.ts';
import { reviewSession } from './review-session.ts';
import type { ScriptTurn } from './script-turn.ts';
import { rebreakdownTask } from './split-task.ts';

/** What the scripted agent can be asked, by the `kind` of the turn, in the order of the state machine. */
export const scriptTurns: Readonly<Record<string, ScriptTurn>> = {
  initialize,
  brainstorm,
  'open-questions': openQuestions,
  research,
  breakdown,
  implement,
  review,
  commit,
  'review-session': reviewSession,
  collect,
  promote,
  'critical-issues': criticalIssues,
  analyse,
  update,
  rebreakdown,
  'rebreakdown-task': rebreakdownTask,
};
