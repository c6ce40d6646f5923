import { memoiseLast } from '../../src/base/memoise.ts';
import { safe } from '../../src/base/safe.ts';
import { groupOf } from '../../src/issues/group.ts';
import type { Holder, Issue, IssueId } from '../../src/issues/issue.ts';
import { type IssueIndex, indexIssues, openBlockers, readyIssues } from '../../src/issues/issue-index.ts';
import { holderText, isSameHolder } from '../../src/issues/lock.ts';
import { type IssueState, isTerminal } from '../../src/issues/state.ts';
import type { TaskLook } from '../../src/words/task-status.ts';
import type { IssueBoard } from '../ports/issues-port.ts';
import { lookOf } from './issue-look.ts';

export type IssueRow = SectionRow | IssueLine;

interface SectionRow {
  readonly kind: 'section';
  readonly title: string;
  /** `3`, or `2 of 3` where only two are what the title says. */
  readonly count: string;
}

/** One issue in the list. Its texts are safe to show. */
export interface IssueLine {
  readonly kind: 'issue';
  readonly id: IssueId;
  readonly name: string;
  readonly title: string;
  readonly look: TaskLook;
  readonly state: IssueState;
  readonly estimate: string;
  readonly labels: readonly string[];
  /** Why nothing begins with it now: `waits for 3`, `held: deferred`. '' is none. */
  readonly note: string;
  /** The beginning of the note before the issues it waits for. */
  readonly lead: string;
  readonly ready: boolean;
  /** Its place among the issues of its group; `alone` in a group of one. */
  readonly place: 'alone' | 'first' | 'middle' | 'last';
}

/** A tracker's issues with their edges, in the order of the tab. */
export interface IssueTable {
  readonly index: IssueIndex;
  readonly rows: readonly IssueRow[];
  /** The issues of the rows, in their order. */
  readonly ids: readonly IssueId[];
  readonly ready: number;
  readonly needsPerson: number;
}

const isSame = (one: Holder | null, other: Holder | null): boolean =>
  one === other || (one !== null && other !== null && isSameHolder(one, other));

/**
 * The issues of a board, as the session `me` sees them: groups with something ready first, then those at work, the other open ones, and the closed ones. The members of a
 * group are together, blockers first.
 */
export const issueTable = memoiseLast(isSame, (board: IssueBoard, me: Holder | null): IssueTable => {
  const index = indexIssues(board.issues);
  const ready = new Set(readyIssues(index).map(({ id }) => id));
  const { open, closed } = groupsOf(index);
  const of = { board, index, me };
  const groups = open.map((members) =>
    members.map((issue, at) => lineOf(issue, placeIn(members, at), { ...of, ready: ready.has(issue.id) })),
  );
  const bySection = Map.groupBy(groups, sectionOf);
  const closedLines = closed.map((issue) => lineOf(issue, 'alone', { ...of, ready: false }));
  const rows = [
    ...(['Ready', 'At work', 'Waiting'] as const).flatMap((title) =>
      section(title, (bySection.get(title) ?? []).flat()),
    ),
    ...section('Closed', closedLines),
  ];
  const issues = rows.flatMap((row) => (row.kind === 'issue' ? [row] : []));
  return {
    index,
    rows,
    ids: issues.map(({ id }) => id),
    ready: issues.filter((line) => line.ready).length,
    needsPerson: issues.filter(({ look }) => look === 'asks').length,
  };
});

/** A group belongs where its most actionable member does. */
const sectionOf = (group: readonly IssueLine[]): 'Ready' | 'At work' | 'Waiting' => {
  if (group.some(({ ready }) => ready)) return 'Ready';
  return group.some(({ look }) => atWork.includes(look)) ? 'At work' : 'Waiting';
};

const atWork: readonly TaskLook[] = ['running', 'reviewing', 'to-review', 'asks'];

const section = (title: string, lines: readonly IssueLine[]): readonly IssueRow[] => {
  if (lines.length === 0) return [];
  const ready = lines.filter((line) => line.ready).length;
  const isPart = title === 'Ready' && ready < lines.length;
  return [
    { kind: 'section', title, count: isPart ? `${ready} of ${lines.length}` : `${lines.length}` },
    ...lines,
  ];
};

/** The open issues by group, in the natural order of their first members; the closed ones, newest id first. */
const groupsOf = (
  index: IssueIndex,
): { readonly open: readonly (readonly Issue[])[]; readonly closed: readonly Issue[] } => {
  const seen = new Set<IssueId>();
  const open: (readonly Issue[])[] = [];
  const closed: Issue[] = [];
  for (const issue of index.byId.values()) {
    if (isTerminal(issue.state)) closed.push(issue);
    else if (!seen.has(issue.id)) {
      const members = (groupOf(index, issue.id)?.order ?? []).flatMap((id) => index.byId.get(id) ?? []);
      for (const { id } of members) seen.add(id);
      open.push(members);
    }
  }
  return { open, closed: closed.toReversed() };
};

const placeIn = ({ length }: readonly Issue[], at: number): IssueLine['place'] => {
  if (length === 1) return 'alone';
  return at === 0 ? 'first' : at === length - 1 ? 'last' : 'middle';
};

interface OnBoard {
  readonly board: IssueBoard;
  readonly index: IssueIndex;
  readonly me: Holder | null;
  readonly ready: boolean;
}

const lineOf = (issue: Issue, place: IssueLine['place'], { board, index, me, ready }: OnBoard): IssueLine => {
  const look = lookOf(issue, { ready, humanReview: board.humanReview });
  return {
    kind: 'issue',
    id: issue.id,
    name: safe(issue.id),
    title: safe(issue.title),
    look,
    state: issue.state,
    estimate: issue.estimate ?? '',
    labels: issue.labels.filter((label) => !label.startsWith('state:')).map(safe),
    ...noteOf(index, issue, me),
    // A plan that waits for a person is ready for nobody else.
    ready: ready && look !== 'asks',
    place,
  };
};

const noteOf = (index: IssueIndex, issue: Issue, me: Holder | null): Pick<IssueLine, 'note' | 'lead'> => {
  const plain = (text: string) => ({ note: safe(text), lead: '' });
  if (isTerminal(issue.state)) return plain('');
  if (issue.held !== undefined) return plain(`held: ${issue.held}`);
  if (issue.lock !== undefined) {
    const { holder } = issue.lock;
    const isOther = holder !== null && !isSame(holder, me);
    return plain(`held by ${isOther ? holder.session : holderText(issue.lock, me)}`);
  }
  const blockers = openBlockers(index, issue);
  if (blockers.length > 0) {
    const lead = 'waits for ';
    return { note: safe(`${lead}${blockers.join(', ')}`), lead };
  }
  const children = (index.childrenOf.get(issue.id) ?? []).filter(({ state }) => state !== 'Canceled');
  const done = children.filter(({ state }) => state === 'Done').length;
  return plain(children.length === 0 ? '' : `${done}/${children.length} parts done`);
};
