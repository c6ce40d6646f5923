import { z } from 'zod';
import { sha256 } from '../../base/hash.io.ts';
import type { Issue, IssueComment } from '../issue.ts';
import { edgesInBody } from './body-edges.ts';
import { factsFromLabels } from './state-labels.ts';

/** An issue that another one names. One of another repository keeps its URL as id: it is not in our list, and so blocks until it is closed. */
const linkSchema = z.looseObject({
  number: z.number(),
  url: z.string().optional(),
  state: z.string().optional(),
});
const linksSchema = z.union([
  z.array(linkSchema),
  z.looseObject({ nodes: z.array(linkSchema) }).transform(({ nodes }) => nodes),
]);

/** A comment of an issue, or of a pull request. */
export const ghCommentSchema = z.looseObject({
  url: z.string(),
  author: z.looseObject({ login: z.string() }).nullish(),
  authorAssociation: z.string().optional(),
  body: z.string(),
  createdAt: z.string(),
  includesCreatedEdit: z.boolean().optional(),
});

/** The fields of `gh issue list --json` and `gh issue view --json` that we ask for. */
export const ghIssueSchema = z.looseObject({
  number: z.number(),
  title: z.string(),
  body: z.string().nullable(),
  state: z.string(),
  stateReason: z.string().nullish(),
  labels: z.array(z.looseObject({ name: z.string() })),
  url: z.string(),
  updatedAt: z.string(),
  parent: linkSchema.nullish(),
  blockedBy: linksSchema.nullish(),
  comments: z.array(ghCommentSchema).optional(),
});
export type GhIssue = z.infer<typeof ghIssueSchema>;

export const baseFields = [
  'number',
  'title',
  'body',
  'state',
  'stateReason',
  'labels',
  'url',
  'updatedAt',
] as const;
export const edgeFields = ['parent', 'blockedBy'] as const;

export const issueOfGh = (gh: GhIssue, hasEdges: boolean): Issue => {
  const labels = gh.labels.map(({ name }) => name);
  const facts = factsFromLabels(labels);
  const isClosed = gh.state.toUpperCase() === 'CLOSED';
  const closed = gh.stateReason?.toUpperCase() === 'NOT_PLANNED' ? 'Canceled' : 'Done';
  const body = (gh.body ?? '').replaceAll('\r\n', '\n');
  const edges = hasEdges ? nativeEdges(gh) : edgesInBody(body);
  return {
    id: String(gh.number),
    number: gh.number,
    title: gh.title,
    body,
    state: isClosed ? closed : facts.state,
    estimate: facts.estimate,
    priority: null,
    labels: facts.labels,
    ...edges,
    comments: (gh.comments ?? []).map(commentOf),
    url: gh.url,
    revision: sha256(JSON.stringify([gh.updatedAt, gh.state, labels, gh.title, body])).slice(0, 16),
  };
};

const nativeEdges = (gh: GhIssue): Pick<Issue, 'blockedBy' | 'parent'> => {
  const parent = gh.parent ? idOfLink(gh, gh.parent) : null;
  const open = (gh.blockedBy ?? []).filter(
    (link) => isHere(gh, link) || link.state?.toUpperCase() !== 'CLOSED',
  );
  return {
    blockedBy: open.map((link) => idOfLink(gh, link)),
    ...(parent === null ? {} : { parent }),
  };
};

const repositoryOf = (url: string): string => url.replace(/\/(?:issues|pull)\/\d+.*$/, '');

const isHere = (gh: GhIssue, { url }: z.infer<typeof linkSchema>): boolean =>
  url === undefined || repositoryOf(url) === repositoryOf(gh.url);

const idOfLink = (gh: GhIssue, link: z.infer<typeof linkSchema>): string =>
  isHere(gh, link) ? String(link.number) : (link.url ?? String(link.number));

const roles: Readonly<Record<string, IssueComment['role']>> = {
  OWNER: 'owner',
  MEMBER: 'member',
  COLLABORATOR: 'collaborator',
};

/** What GitHub says of an author (`authorAssociation`). */
export const roleOf = (association: string | undefined): IssueComment['role'] =>
  roles[association ?? ''] ?? 'other';

export const commentOf = (comment: z.infer<typeof ghCommentSchema>): IssueComment => ({
  id: comment.url,
  author: comment.author?.login ?? null,
  role: roleOf(comment.authorAssociation),
  body: comment.body.replaceAll('\r\n', '\n'),
  at: comment.createdAt,
  // GitHub does not name the editor here: an edited comment could be anyone's with the right to edit.
  editedBy: comment.includesCreatedEdit === true ? 'someone' : null,
});
