import { posix } from 'node:path';
import { type Issue, issueName } from '../issue.ts';
import { type ArtifactKind, artifactKinds } from './artifact-comment.ts';

interface DocumentSubject {
  readonly kind: ArtifactKind;
  readonly issue: Pick<Issue, 'id' | 'number' | 'title'>;
  readonly span: 'issue' | 'group' | 'stream';
  /** `YYYY-MM-DD`. */
  readonly date: string;
}

/** The path of a document below `docs_root`: `plans/2026-02-22-group-GH-0042-short-title.md`. */
export const documentPath = (docsRoot: string, { kind, issue, span, date }: DocumentSubject): string => {
  const parts = [
    date,
    ...(span === 'issue' ? [] : [span]),
    fileIssueName(issue),
    slug(issue.title),
    ...(kind === 'plan-review' ? ['critique'] : []),
  ];
  return posix.join(
    docsRoot,
    artifactKinds[kind].folder,
    `${parts.filter((part) => part !== '').join('-')}.md`,
  );
};

/** `GH-0042` where the tracker counts, else the id with safe characters. */
const fileIssueName = ({ id, number }: Pick<Issue, 'id' | 'number'>): string =>
  number === undefined ? id.replace(/[^A-Za-z0-9.-]+/g, '-') : `GH-${String(number).padStart(4, '0')}`;

const longestSlug = 40;

/** A title as part of a file name; empty for one without Latin letters and digits. */
export const slug = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longestSlug)
    .replace(/^-+|-+$/g, '');

/** Whether a file name holds exactly this issue: `GH-0042` and `GH-42` are 42, `GH-421` is not. */
export const namesIssue = (path: string, issue: Pick<Issue, 'id' | 'number'>): boolean => {
  const name = posix.basename(path);
  return issue.number === undefined
    ? isWithin(name, fileIssueName({ id: issueName(issue) }))
    : new RegExp(`(?:^|[^A-Za-z0-9])GH-0*${issue.number}(?!\\d)`).test(name);
};

const isWithin = (name: string, id: string): boolean => {
  const isEdge = (character: string | undefined): boolean =>
    character === undefined || !/[A-Za-z0-9.]/.test(character);
  for (let at = name.indexOf(id); at >= 0; at = name.indexOf(id, at + 1)) {
    const after = name.slice(at + id.length);
    if (isEdge(name[at - 1]) && (isEdge(after[0]) || after === '.md')) return true;
  }
  return false;
};
