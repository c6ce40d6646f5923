/**
 * The Artifact Comment Protocol (src/issues/README.md, Documents and comments): a comment links a document to its issue. The header is the first line, the path
 * or URL stands on the next one, and up to three lines of summary follow.
 */
export const artifactKinds = {
  research: { header: 'Research Document', folder: 'research' },
  plan: { header: 'Implementation Plan', folder: 'plans' },
  'group-plan': { header: 'Group Implementation Plan', folder: 'plans' },
  'plan-review': { header: 'Plan Review', folder: 'reviews' },
  validation: { header: 'Validation', folder: 'reviews' },
  implementation: { header: 'Implementation Complete', folder: 'reports' },
} as const;
export type ArtifactKind = keyof typeof artifactKinds;

interface ArtifactComment {
  readonly kind: ArtifactKind;
  /** A path relative to the workspace, or a URL. */
  readonly location: string;
  readonly summary: readonly string[];
}

const mostSummary = 3;
/** In the order of the work. */
export const kindsOfArtifact: readonly ArtifactKind[] = [
  'research',
  'plan',
  'group-plan',
  'plan-review',
  'validation',
  'implementation',
];

/** The text of a comment that links a document. Empty lines of the summary go. */
export const formatArtifactComment = ({ kind, location, summary }: ArtifactComment): string =>
  [`## ${artifactKinds[kind].header}`, '', location, ...gap(summaryLines(summary))].join('\n');

/** A blank line keeps Markdown from joining the location and the summary. */
const gap = (lines: readonly string[]): readonly string[] => (lines.length === 0 ? [] : ['', ...lines]);

const summaryLines = (lines: readonly string[]): readonly string[] =>
  lines
    .flatMap((line) => line.split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, mostSummary);

/** The link that a comment holds; `null` for any other comment. Only the first line may be the header: a quoted header links nothing. */
export const artifactOf = (body: string): ArtifactComment | null => {
  const lines = body
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const header = /^##[ \t]+(.+?)[ \t]*#*$/.exec(lines[0] ?? '')?.[1];
  const kind = kindsOfArtifact.find((each) => artifactKinds[each].header === header);
  const location = locationIn(lines[1] ?? '');
  return kind === undefined || location === null
    ? null
    : { kind, location, summary: lines.slice(2, 2 + mostSummary) };
};

/** A path or URL, bare, in backticks or as a Markdown link. */
const locationIn = (line: string): string | null => {
  const bare = /^\[[^\]]*\]\(([^()\s]+)\)$/.exec(line)?.[1] ?? line.replace(/^[`<]|[`>]$/g, '');
  return bare === '' || /\s/.test(bare) ? null : bare;
};
