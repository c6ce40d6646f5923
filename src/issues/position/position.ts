import type { Group } from '../group.ts';
import type { Estimate, Holder, Issue, IssueId } from '../issue.ts';
import type { IssueIndex } from '../issue-index.ts';
import { type IssueState, isTerminal } from '../state.ts';
import { findObstacles, type Obstacle, type Obstacles } from './obstacles.ts';
import {
  earliest,
  isBefore,
  isContainer,
  type Phase,
  type PhaseOptions,
  phaseOf,
  phases,
  routeFrom,
} from './phase.ts';
import { type Roster, suggestRoster } from './roster.ts';

/** An issue as a position sees it. */
export interface IssuePosition {
  readonly id: IssueId;
  readonly title: string;
  readonly state: IssueState;
  readonly estimate: Estimate | null;
  readonly phase: Phase;
  /** Its children are worked on instead, and its state rolls up from theirs. */
  readonly follows_children: boolean;
  /** Why it cannot be worked on now. */
  readonly obstacle: Obstacle | null;
  /** Why it cannot be implemented later. */
  readonly later: Obstacle | null;
}

interface Escalation {
  readonly issue: IssueId;
  readonly reason: string;
}

/** Where a group stands and what comes next: the answer of `ralph-tui flow position --json` (src/issues/README.md, Position). */
export interface Position {
  readonly phase: Phase;
  readonly reason: string;
  /** This phase and those after it, without TERMINAL. */
  readonly remaining_phases: readonly Phase[];
  readonly issues: readonly IssuePosition[];
  /** Whether all open issues are in the same phase, and those that are not past the group's. */
  readonly convergence: { readonly met: boolean; readonly blocking: readonly IssueId[] };
  /** `wait` only for something that can change without us. */
  readonly recommendation: 'proceed' | 'wait' | 'escalate';
  readonly escalations: readonly Escalation[];
  readonly group: Group | null;
  readonly suggested_roster: Roster;
}

export interface PositionOptions extends PhaseOptions {
  /** The session that asks: its own locks are no obstacle. `null` for a person who only looks. */
  readonly me: Holder | null;
  /** Streams of the group; 1 before research. */
  readonly streams: number;
}

/** The position of a group. A pure function of the states: the order of the issues does not matter. */
export const positionOf = (index: IssueIndex, group: Group | null, options: PositionOptions): Position => {
  const members = (group?.order ?? []).flatMap((id) => index.byId.get(id) ?? []);
  if (group === null || members.length === 0) return noIssue(options);
  const phaseOfMember = (issue: Issue): Phase => phaseOf(index, issue, options);
  const obstacles = findObstacles(index, group, phaseOfMember, options.me);
  const issues = members.map((issue) => issuePosition(index, issue, phaseOfMember(issue), obstacles));
  const open = issues.filter(isOpen);
  const workable = open.filter(({ obstacle }) => obstacle === null);
  const waiting = open.filter(({ obstacle }) => obstacle !== null && obstacle.kind !== 'person');
  const decisive = [workable, waiting, open].find((some) => some.length > 0) ?? [];
  const phase = earliest(decisive.map((issue) => issue.phase));
  const behind = open.filter((issue) => !isBefore(phase, issue.phase));
  const isMet = new Set(open.map((issue) => issue.phase)).size < 2;
  const escalations = issues.flatMap(({ id, obstacle }) =>
    obstacle?.kind === 'person' ? [{ issue: id, reason: obstacle.reason }] : [],
  );
  const routes = new Set(open.flatMap((issue) => routeFrom(issue.phase, options)));
  return {
    phase,
    reason: reasonOf(phase, workable, waiting, escalations),
    remaining_phases: phases.filter((next) => routes.has(next) && !isBefore(next, phase)),
    issues,
    convergence: { met: isMet, blocking: isMet ? [] : behind.map(({ id }) => id) },
    recommendation: recommend(workable, waiting, escalations),
    escalations,
    group,
    suggested_roster: suggestRoster(
      open.map((issue) => issue.phase),
      options.streams,
    ),
  };
};

const issuePosition = (
  index: IssueIndex,
  issue: Issue,
  phase: Phase,
  { now, later }: Obstacles,
): IssuePosition => ({
  id: issue.id,
  title: issue.title,
  state: issue.state,
  estimate: issue.estimate,
  phase,
  follows_children: isContainer(index, issue),
  obstacle: now.get(issue.id) ?? null,
  later: later.get(issue.id) ?? null,
});

/** Whether work of its own is left, whoever can do it. */
export const isOpen = ({ state, phase, follows_children }: IssuePosition): boolean =>
  !isTerminal(state) && phase !== 'TERMINAL' && !follows_children;

const recommend = (
  workable: readonly IssuePosition[],
  waiting: readonly IssuePosition[],
  escalations: readonly Escalation[],
): Position['recommendation'] => {
  if (workable.length > 0) return 'proceed';
  if (waiting.length > 0) return 'wait';
  return escalations.length > 0 ? 'escalate' : 'proceed';
};

const reasonOf = (
  phase: Phase,
  workable: readonly IssuePosition[],
  waiting: readonly IssuePosition[],
  escalations: readonly Escalation[],
): string => {
  const here = workable.filter((issue) => issue.phase === phase).map(({ id }) => id);
  if (here.length > 0) return `${named(here)} ${here.length === 1 ? 'needs' : 'need'} ${needs[phase]}`;
  const [stuck] = waiting;
  if (stuck?.obstacle) return `${stuck.id}: ${stuck.obstacle.reason}`;
  const [first] = escalations;
  return first === undefined ? 'no issue needs work' : `${first.issue}: ${first.reason}`;
};

/** What an issue needs in a phase, for sentences. */
const needs: Readonly<Record<Phase, string>> = {
  SPLIT: 'to be split',
  TRIAGE: 'triage',
  RESEARCH: 'research',
  PLAN: 'a plan',
  REVIEW: 'a review of the plan',
  HUMAN_GATE: 'approval of the plan',
  IMPLEMENT: 'to be implemented',
  INTEGRATE: 'to be merged',
  TERMINAL: 'nothing',
};

const mostNamed = 5;

const named = (ids: readonly IssueId[]): string =>
  ids.length > mostNamed
    ? `${ids.slice(0, mostNamed).join(', ')} and ${ids.length - mostNamed} more`
    : ids.join(', ');

const noIssue = (options: PositionOptions): Position => ({
  phase: 'TRIAGE',
  reason: 'there are no issues',
  remaining_phases: routeFrom('TRIAGE', options),
  issues: [],
  convergence: { met: true, blocking: [] },
  recommendation: 'escalate',
  escalations: [],
  group: null,
  suggested_roster: suggestRoster([], 0),
});
