import { safe } from '../../base/safe.ts';
import type { Issue } from '../../issues/issue.ts';
import { type IssueIndex, openBlockers, readyIssues } from '../../issues/issue-index.ts';

/** An issue as `issues --json` prints it. Bodies and comments are left to `issues show`. */
export const issueRows = (index: IssueIndex) => {
  const ready = new Set(readyIssues(index).map(({ id }) => id));
  return [...index.byId.values()].map((issue) => issueRow(index, issue, ready.has(issue.id)));
};

const issueRow = (index: IssueIndex, issue: Issue, ready: boolean) => {
  const { body: _body, comments: _comments, revision: _revision, ...fields } = issue;
  return {
    ...fields,
    parent: issue.parent ?? null,
    children: (index.childrenOf.get(issue.id) ?? []).map(({ id }) => id),
    ready,
    waits_for: openBlockers(index, issue),
  };
};

type IssueRow = ReturnType<typeof issueRow>;

/** The cells of a table row. */
export const issueCells = (row: IssueRow): readonly string[] => [
  safe(row.id),
  row.state,
  row.estimate ?? '',
  safe(row.title),
  safe(note(row)),
];

const note = ({ ready, waits_for, held, lock }: IssueRow): string => {
  if (ready) return 'ready';
  if (held !== undefined) return `held: ${held}`;
  if (lock !== undefined) return `locked by ${lock.holder?.session ?? 'another machine'}`;
  return waits_for.length === 0 ? '' : `waits for ${waits_for.join(', ')}`;
};
