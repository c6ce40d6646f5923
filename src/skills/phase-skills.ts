import type { TaskPhase } from '../issues/task-list/task-phase.ts';

/** The skill that says how a phase of an issue is worked, by the phase of its task. */
export const skillOfPhase: Readonly<Record<TaskPhase, string>> = {
  split: 'split',
  triage: 'triage',
  research: 'research',
  plan: 'plan',
  review: 'review',
  implement: 'impl',
  pr: 'pr',
  merge: 'merge',
};
