import { memoiseLast } from '../../src/base/memoise.ts';
import { safe } from '../../src/base/safe.ts';
import { artifactKinds } from '../../src/issues/documents/artifact-comment.ts';
import type { Holder, Issue, IssueId } from '../../src/issues/issue.ts';
import { type IssueIndex, openBlockers } from '../../src/issues/issue-index.ts';
import { lockText } from '../../src/issues/lock.ts';
import type { DetailLine } from '../../src/words/detail-line.ts';
import { count } from '../../src/words/local-time.ts';
import { markdownLines } from '../../src/words/markdown-lines.ts';
import { type TextRow, textRows } from '../details/text-rows.ts';
import type { IssueInFull, ShownComment, ShownDocument } from '../ports/issues-port.ts';
import type { ViewState } from '../view.ts';
import { selectHolder, selectIssue, selectIssues } from './select-issues.ts';

/** The details of the issue under the cursor as rows of `width` cells; empty without one. */
export const issueDetailRows = (view: ViewState, width: number): readonly TextRow[] => {
  const { read } = view.ui.issues;
  const [table, issue] = [selectIssues(view), selectIssue(view)];
  if (table === null || issue === null) return [];
  return rowsOf(table.index, { issue, me: selectHolder(view), of: read[issue.id]?.of ?? null, width });
};

interface Wanted {
  readonly issue: Issue;
  readonly me: Holder | null;
  readonly of: IssueInFull | string | null;
  readonly width: number;
}

/** A text of many lines is laid out once, not at each key. */
const rowsOf = memoiseLast(
  (one: Wanted, other: Wanted) =>
    one.issue === other.issue && one.of === other.of && one.width === other.width,
  (index: IssueIndex, { issue, me, of, width }: Wanted): readonly TextRow[] =>
    textRows([...facts(index, issue, me), ...textOf(of)], width),
);

const facts = (index: IssueIndex, issue: Issue, me: Holder | null): readonly DetailLine[] => {
  const children = (index.childrenOf.get(issue.id) ?? []).map(({ id }) => id);
  const blockers = new Set([...issue.blockedBy, ...openBlockers(index, issue)]);
  const named = (ids: Iterable<IssueId>): readonly string[] => [...ids].map((id) => nameOf(index, id));
  const parent = index.parentOf.get(issue.id) ?? issue.parent;
  return [
    { kind: 'title', text: safe(`${issue.id}  ${issue.title}`) },
    { kind: 'text', text: safe(stateWords(issue)) },
    ...(issue.lock === undefined ? [] : [text(`held by ${lockText(issue.lock, me)}`)]),
    ...(issue.held === undefined ? [] : [text(`held by the tracker: ${issue.held}`)]),
    ...(issue.labels.length === 0 ? [] : [text(`labels ${issue.labels.join(', ')}`)]),
    ...(issue.url === undefined ? [] : [text(issue.url)]),
    ...section('Part of', parent === undefined ? [] : named([parent])),
    ...section('Parts', named(children)),
    ...section('Waits for', named(blockers)),
    ...section('Blocks', named(index.blocks.get(issue.id) ?? [])),
  ];
};

const text = (words: string): DetailLine => ({ kind: 'text', text: safe(words) });

const stateWords = ({ state, estimate, priority }: Issue): string =>
  [state, estimate ?? 'no estimate', priority === null ? '' : `priority ${priority}`]
    .filter((part) => part !== '')
    .join(' · ');

/** An unknown one is named as such: it is not taken as closed. */
const nameOf = (index: IssueIndex, id: IssueId): string => {
  const issue = index.byId.get(id);
  return safe(issue === undefined ? `${id}  does not exist` : `${id}  ${issue.title} · ${issue.state}`);
};

const section = (heading: string, lines: readonly string[]): readonly DetailLine[] =>
  lines.length === 0
    ? []
    : [
        { kind: 'heading', text: heading },
        ...lines.map((line): DetailLine => ({ kind: 'item', text: line })),
      ];

const textOf = (of: IssueInFull | string | null): readonly DetailLine[] => {
  if (of === null) return [{ kind: 'heading', text: 'Reading its text…' }];
  if (typeof of === 'string') return [{ kind: 'bad', text: safe(of) }];
  const counting = of.comments.filter(({ ignored }) => ignored === null);
  const ignored = of.comments.filter((comment) => comment.ignored !== null);
  return [
    ...section('Documents', of.documents.map(documentWords)),
    ...bodyLines(of),
    ...(of.commentsCut === 0
      ? []
      : [{ kind: 'heading', text: `${count(of.commentsCut, 'older comment')} left out` } as const]),
    ...comments('Comments', counting),
    ...comments('Ignored comments: documents linked here do not count', ignored),
  ];
};

const documentWords = ({ kind, location, via }: ShownDocument): string =>
  safe(`${artifactKinds[kind].header}: ${location}${via === 'comment' ? '' : ` (found by its ${via})`}`);

const bodyLines = ({ body, bodyCut }: IssueInFull): readonly DetailLine[] => [
  { kind: 'heading', text: body.trim() === '' ? 'No description' : 'Description' },
  ...markdownLines(body),
  ...(bodyCut === 0
    ? []
    : [text(`… ${count(bodyCut, 'more character')}: \`ralph-tui issues show\` prints all`)]),
];

const comments = (heading: string, of: readonly ShownComment[]): readonly DetailLine[] =>
  of.length === 0
    ? []
    : [
        { kind: 'heading', text: heading },
        ...of.flatMap(({ author, at, body, ignored }): readonly DetailLine[] => [
          {
            kind: 'sub',
            text: safe(
              [author ?? 'no author', at.slice(0, 16).replace('T', ' '), ignored ?? '']
                .filter((part) => part !== '')
                .join(' · '),
            ),
          },
          ...markdownLines(body),
        ]),
      ];
