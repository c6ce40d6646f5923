import { brainstorm } from './brainstorm.ts';
import { carry } from './carry-forward.ts';
import { collect } from './collect.ts';
import { commit } from './commit.ts';
import { implement } from './implement.ts';
import { breakdown, initialize } from './plan.ts';
import { promote } from './promote.ts';
import { openQuestions } from './question-files.ts';
import { criticalIssues, rebreakdown, update } from './replan.ts';
import { analyse, research } from './research.ts';
import { look, review, verify } from './review.ts';
import { reviewSession } from './review-session.ts';
import type { ScriptTurn } from './script-turn.ts';
import { setupWorktree } from './setup/setup-worktree.ts';
import { rebreakdownTask } from './split-task.ts';
import { verifyAttempt } from './verify-attempt.ts';

/** The turns of the script backend by `kind`, in the order of the state machine. */
export const scriptTurns: Readonly<Record<string, ScriptTurn>> = {
  initialize,
  brainstorm,
  'open-questions': openQuestions,
  research,
  breakdown,
  setup: setupWorktree,
  implement,
  verify,
  review,
  look,
  commit,
  'review-session': reviewSession,
  carry,
  'verify-attempt': verifyAttempt,
  collect,
  promote,
  'critical-issues': criticalIssues,
  analyse,
  update,
  rebreakdown,
  'rebreakdown-task': rebreakdownTask,
};
