import type { Issue, IssueId } from '../issue.ts';
import { followsChildren, type IssueIndex, needsSplit } from '../issue-index.ts';
import type { IssueState } from '../state.ts';
import type { FlowPhases } from './flow-phases.ts';

/** The phases in the order of the work (src/issues/README.md, Position). */
export const phases = [
  'SPLIT',
  'TRIAGE',
  'RESEARCH',
  'PLAN',
  'REVIEW',
  'HUMAN_GATE',
  'IMPLEMENT',
  'INTEGRATE',
  'TERMINAL',
] as const;
export type Phase = (typeof phases)[number];

/** Who reviews a plan: a person, the validator alone, or nobody. */
export type PlanReview = 'human' | 'auto' | 'skip';

export interface PhaseOptions {
  /** Left out: all. */
  readonly phases?: FlowPhases;
  readonly review: PlanReview;
  readonly autoMerge: boolean;
  /** Issues with a plan document that counts. */
  readonly planned: ReadonlySet<IssueId>;
}

/** The phase of an issue from its own state. */
export const phaseOf = (index: IssueIndex, issue: Issue, options: PhaseOptions): Phase =>
  issue.state === 'Backlog'
    ? firstPhase(index, issue, options.phases ?? 'all')
    : ofState[issue.state](options, options.planned.has(issue.id));

/** With few phases an issue is planned at once, unless it is large: then somebody has to find out first what it takes. */
const firstPhase = (index: IssueIndex, issue: Issue, phases: FlowPhases): Phase => {
  const isSmall = phases === 'few' && issue.estimate !== 'L' && issue.estimate !== 'XL';
  if (isSmall) return 'PLAN';
  return needsSplit(index, issue) ? 'SPLIT' : 'TRIAGE';
};

const ofState: Readonly<
  Record<Exclude<IssueState, 'Backlog'>, (options: PhaseOptions, hasPlan: boolean) => Phase>
> = {
  'Research Needed': () => 'RESEARCH',
  'Research in Progress': () => 'RESEARCH',
  'Ready for Plan': () => 'PLAN',
  'Plan in Progress': (_, hasPlan) => (hasPlan ? 'REVIEW' : 'PLAN'),
  'Plan in Review': ({ review }) => reviewPhase[review],
  'In Progress': () => 'IMPLEMENT',
  'In Review': ({ autoMerge }) => (autoMerge ? 'INTEGRATE' : 'TERMINAL'),
  'Human Needed': () => 'TERMINAL',
  Done: () => 'TERMINAL',
  Canceled: () => 'TERMINAL',
};

const reviewPhase = { human: 'HUMAN_GATE', auto: 'REVIEW', skip: 'IMPLEMENT' } as const;

export const isBefore = (a: Phase, b: Phase): boolean => phases.indexOf(a) < phases.indexOf(b);

/** The earliest of some phases; TERMINAL for none. */
export const earliest = (some: readonly Phase[]): Phase =>
  phases.find((phase) => some.includes(phase)) ?? 'TERMINAL';

/** The phases that an issue in this phase still goes through, this one first. */
export const routeFrom = (phase: Phase, options: PhaseOptions): readonly Phase[] => {
  const route = phases.slice(phases.indexOf(phase), -1);
  return route.filter((next) => next === phase || isOnRoute(next, options));
};

const isOnRoute = (phase: Phase, { review, autoMerge }: PhaseOptions): boolean => {
  if (phase === 'REVIEW') return review !== 'skip';
  if (phase === 'HUMAN_GATE') return review === 'human';
  return phase !== 'INTEGRATE' || autoMerge;
};

/** Whether the issue has no phase of its own, because its children are worked on instead. */
export const isContainer = (index: IssueIndex, issue: Issue): boolean => followsChildren(index, issue.id);
