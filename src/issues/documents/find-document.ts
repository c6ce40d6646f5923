import type { Issue, IssueComment } from '../issue.ts';
import { type ArtifactKind, artifactKinds, artifactOf, formatArtifactComment } from './artifact-comment.ts';
import { namesIssue } from './document-name.ts';

/** A Markdown file below `docs_root`. */
export interface DocumentFile {
  /** Relative to the workspace. */
  readonly path: string;
  /** Its front matter; empty without one. */
  readonly data: Readonly<Record<string, unknown>>;
  /** What its work changes, relative to the workspace; absent where nobody asked. */
  readonly files?: readonly string[];
}

interface FoundDocument {
  /** A path relative to the workspace, or a URL. */
  readonly location: string;
  readonly via: 'comment' | 'front matter' | 'file name';
  /** The comment to post once, so that the next search finds the link; `null` when a comment gave it. */
  readonly repair: string | null;
}

/**
 * The document of an issue, by the first rule that finds one: the last counting comment, front matter that names the issue, the exact id in a file name
 * (src/issues/README.md, Documents and comments). Of several files the last path counts, because names begin with a date. A link to a missing file finds nothing.
 */
export const findDocument = (
  issue: Pick<Issue, 'id' | 'number'>,
  kind: ArtifactKind,
  counting: readonly IssueComment[],
  files: readonly DocumentFile[],
): FoundDocument | null => {
  const paths = new Set(files.map(({ path }) => path));
  const linked = counting
    .map(({ body }) => artifactOf(body))
    .findLast((link) => link?.kind === kind && (isUrl(link.location) || paths.has(link.location)));
  if (linked) return { location: linked.location, via: 'comment', repair: null };
  const candidates = files
    .filter(({ path }) => isOfKind(path, kind))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return (
    repaired(
      kind,
      'front matter',
      candidates.findLast(({ data }) => isAbout(data, issue)),
    ) ??
    repaired(
      kind,
      'file name',
      candidates.findLast(({ path }) => namesIssue(path, issue)),
    )
  );
};

/** The files that the work on an issue changes, as its research says, else its plan. */
export const filesOfIssue = (
  issue: Pick<Issue, 'id' | 'number'>,
  documents: readonly DocumentFile[],
): readonly string[] => {
  for (const kind of ['research', 'plan'] as const) {
    const found = findDocument(issue, kind, [], documents);
    const { files = [] } = documents.find(({ path }) => path === found?.location) ?? {};
    if (files.length > 0) return files;
  }
  return [];
};

const isUrl = (location: string): boolean => /^https?:\/\//.test(location);

const repaired = (
  kind: ArtifactKind,
  via: FoundDocument['via'],
  file: DocumentFile | undefined,
): FoundDocument | null =>
  file === undefined
    ? null
    : { location: file.path, via, repair: formatArtifactComment({ kind, location: file.path, summary: [] }) };

/** The folder and the name tell kinds apart. */
const isOfKind = (path: string, kind: ArtifactKind): boolean => {
  const segments = path.split('/');
  const name = segments.at(-1) ?? '';
  const isGroup = /^\d{4}-\d\d-\d\d-(?:group|stream)-/.test(name);
  if (segments.at(-2) !== artifactKinds[kind].folder) return false;
  if (kind === 'plan') return !isGroup;
  if (kind === 'group-plan') return isGroup;
  if (kind === 'plan-review') return name.endsWith('-critique.md');
  return kind !== 'validation' || !name.endsWith('-critique.md');
};

/** `github_issue`, `github_issues` or `primary_issue` names the issue by number or id. */
const isAbout = (
  { github_issue, github_issues, primary_issue }: Readonly<Record<string, unknown>>,
  issue: Pick<Issue, 'id' | 'number'>,
): boolean =>
  [github_issue, github_issues, primary_issue]
    .flat()
    .some((named) => named === issue.number || String(named) === issue.id);
