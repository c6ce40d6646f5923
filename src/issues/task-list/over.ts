import type { FlowPhases } from '../position/flow-phases.ts';
import { type IssueState, isTerminal, stateRank } from '../state.ts';
import type { TaskPhase } from './task-phase.ts';

/** Whether a session has nothing to do for an issue in this state: its work is over, or a person is needed. */
export const isOver = (state: IssueState): boolean => isTerminal(state) || state === 'Human Needed';

/** The state in which each phase begins with an issue. */
const begins: Readonly<Record<TaskPhase, IssueState>> = {
  split: 'Backlog',
  triage: 'Backlog',
  research: 'Research Needed',
  plan: 'Ready for Plan',
  review: 'Ready for Plan',
  implement: 'In Progress',
  pr: 'In Progress',
  merge: 'In Review',
};

/**
 * Whether a person put the issue before the work of this phase: the phase continues with the other issues of its task. With few phases a plan begins with
 * an issue of the backlog.
 */
export const isMovedBack = (phase: TaskPhase, state: IssueState, phases: FlowPhases = 'all'): boolean =>
  !(phases === 'few' && phase === 'plan' && state === 'Backlog') &&
  stateRank(state) < stateRank(begins[phase]);

/** The first state of an issue that has a phase behind it. */
const ended: Readonly<Partial<Record<TaskPhase, IssueState>>> = {
  split: 'Research Needed',
  triage: 'Research Needed',
  research: 'Ready for Plan',
  plan: 'Plan in Review',
  review: 'In Progress',
};

/** Whether an issue in this state does without a phase before the implementation: it was done, or a person moved the issue on. */
export const isPast = (phase: TaskPhase, state: IssueState): boolean => {
  const first = ended[phase];
  return first !== undefined && stateRank(state) >= stateRank(first);
};
