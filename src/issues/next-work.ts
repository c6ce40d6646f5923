import type { Issue, IssueId } from './issue.ts';
import { familyOf, type IssueIndex, readyIssues } from './issue-index.ts';
import { isTerminal } from './state.ts';

/** An unfinished session of an issue. */
export interface IssueSession {
  readonly issue: IssueId;
  /** `waits`: for a person or a pull request, while no agent works. `stopped`: no program runs it. */
  readonly standing: 'working' | 'waits' | 'stopped';
  /** This service started it, so that it may also stop it. */
  readonly ours: boolean;
}

export interface WorkFacts {
  readonly index: IssueIndex;
  readonly sessions: readonly IssueSession[];
  /** Issues that living sessions work on, also those of a group. */
  readonly taken: ReadonlySet<IssueId>;
  /** An issue is wanted with one of these, of its own or of a parent; empty: every issue is. */
  readonly labels: readonly string[];
  /** How many sessions work at the same time. */
  readonly max: number;
  /** The revision at which the last session of an issue ended: it is taken up again when somebody changed the issue since. */
  readonly tried: ReadonlyMap<IssueId, string>;
  /** Work that is merged elsewhere is not here yet: an issue with blockers would not begin on it. */
  readonly behind?: boolean;
}

export interface WorkStep {
  /** To start or to resume, the first one first. */
  readonly start: readonly IssueId[];
  /** To stop: nobody wants these any more. A closed issue ends its session by itself. */
  readonly stop: readonly IssueId[];
}

/** For each session that works, so many may wait for a person: their processes cost memory, and nobody reviews a hundred plans. */
const waitingPerWorking = 4;

/**
 * What a service does next with the issues of a tracker: it continues what was stopped, then begins with what is ready, the most urgent first and then the
 * oldest, as far as there is room.
 */
export const nextWork = (facts: WorkFacts): WorkStep => {
  const { index, sessions, max } = facts;
  const living = sessions.filter(({ standing }) => standing !== 'stopped');
  const stop = living.flatMap(({ issue: id, ours }) => {
    const issue = index.byId.get(id);
    const isLeft = issue !== undefined && !isTerminal(issue.state) && !isWanted(facts, issue);
    return ours && isLeft ? [id] : [];
  });
  const working = living.filter(({ standing }) => standing === 'working').length;
  const room = Math.min(max - working, max * (1 + waitingPerWorking) - living.length);
  return { start: candidates(facts).slice(0, Math.max(0, room)), stop };
};

/** What could begin, in its order. */
export const candidates = (facts: WorkFacts): readonly IssueId[] => {
  const { index, sessions, taken, tried, behind = false } = facts;
  const known = new Set(sessions.map(({ issue }) => issue));
  const mayBegin = (issue: Issue): boolean =>
    isWanted(facts, issue) && !taken.has(issue.id) && tried.get(issue.id) !== issue.revision;
  const stopped = sessions.flatMap(({ issue: id, standing }) => {
    const issue = standing === 'stopped' ? index.byId.get(id) : undefined;
    return issue === undefined || isSettled(issue) || !mayBegin(issue) ? [] : [id];
  });
  const ready = readyIssues(index).filter(
    (issue) =>
      !known.has(issue.id) &&
      issue.state !== 'Plan in Review' &&
      mayBegin(issue) &&
      !(behind && buildsOnOthers(issue)),
  );
  return [...new Set([...stopped, ...ready.map(({ id }) => id)])];
};

/** It was blocked by work that is done by now. */
export const buildsOnOthers = ({ blockedBy }: Pick<Issue, 'blockedBy'>): boolean => blockedBy.length > 0;

/** Over, or a matter of a person first. */
const isSettled = ({ state }: Issue): boolean => isTerminal(state) || state === 'Human Needed';

const isWanted = ({ index, labels }: WorkFacts, issue: Issue): boolean =>
  labels.length === 0 ||
  [...familyOf(index, issue)].some((each) => each.labels.some((label) => labels.includes(label)));
