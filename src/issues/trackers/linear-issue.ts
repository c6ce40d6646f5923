import { z } from 'zod';
import { sha256 } from '../../base/hash.io.ts';
import type { Issue, IssueComment } from '../issue.ts';
import { type IssueState, stateNamed } from '../state.ts';
import { factsFromLabels } from './state-labels.ts';

const nodes = <T>(schema: z.ZodType<T>) => z.object({ nodes: z.array(schema) });
export const pageSchema = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });

/** A workflow state of a team. The type is one of triage, backlog, unstarted, started, completed and canceled. */
export const workflowStateSchema = z.object({ id: z.string(), name: z.string(), type: z.string() });
export type WorkflowState = z.infer<typeof workflowStateSchema>;

const commentSchema = z.object({
  id: z.string(),
  body: z.string(),
  createdAt: z.string(),
  user: z.object({ name: z.string() }).nullish(),
});

export const linearIssueSchema = z.object({
  id: z.string(),
  identifier: z.string(),
  title: z.string(),
  description: z.string().nullish(),
  url: z.string(),
  updatedAt: z.string(),
  priority: z.number(),
  state: workflowStateSchema,
  labels: nodes(z.object({ name: z.string() })),
  parent: z.object({ identifier: z.string() }).nullish(),
  /** Relations in which this issue is the other one: `blocks` means that it waits. */
  inverseRelations: z.object({
    nodes: z.array(z.object({ type: z.string(), issue: z.object({ identifier: z.string() }) })),
    pageInfo: z.object({ hasNextPage: z.boolean() }),
  }),
  comments: nodes(commentSchema).optional(),
});
export type LinearIssue = z.infer<typeof linearIssueSchema>;

/** What every query selects. Limits of the lists keep a page of 100 issues within the complexity that Linear allows. */
export const issueFields = `id identifier title description url updatedAt priority
    state { id name type }
    labels(first: 10) { nodes { name } }
    parent { identifier }
    inverseRelations(first: 20) { nodes { type issue { identifier } } pageInfo { hasNextPage } }`;

export const commentFields = 'id body createdAt user { name }';

/** Our state for a workflow state: by its type when it ends an issue, else by its name. */
export const stateOfLinear = ({ name, type }: Pick<WorkflowState, 'name' | 'type'>): IssueState => {
  if (type === 'completed') return 'Done';
  if (type === 'canceled') return 'Canceled';
  return stateNamed(name) ?? 'Backlog';
};

export const issueOfLinear = (linear: LinearIssue): Issue => {
  const facts = factsFromLabels(linear.labels.nodes.map(({ name }) => name));
  const body = linear.description ?? '';
  const blockers = linear.inverseRelations.nodes.filter(({ type }) => type === 'blocks');
  return {
    id: linear.identifier,
    title: linear.title,
    body,
    state: stateOfLinear(linear.state),
    estimate: null,
    // 0 is "no priority" in Linear, and 1 is urgent.
    priority: linear.priority === 0 ? null : linear.priority,
    labels: facts.labels,
    ...(linear.parent ? { parent: linear.parent.identifier } : {}),
    blockedBy: blockers.map(({ issue }) => issue.identifier),
    comments: (linear.comments?.nodes ?? []).map(commentOfLinear).sort((a, b) => (a.at < b.at ? -1 : 1)),
    url: linear.url,
    revision: sha256(JSON.stringify([linear.updatedAt, linear.state.id, linear.title, body])).slice(0, 16),
    ...(linear.inverseRelations.pageInfo.hasNextPage
      ? { held: 'it has more relations than can be read' }
      : {}),
  };
};

/** Every user of a workspace is a member of it, and only the author can edit a comment there. Others write through integrations. */
export const commentOfLinear = (comment: z.infer<typeof commentSchema>): IssueComment => ({
  id: comment.id,
  author: comment.user?.name ?? 'an integration',
  role: comment.user ? 'member' : 'other',
  body: comment.body,
  at: comment.createdAt,
  editedBy: null,
});

export const linearCommentSchema = commentSchema;
