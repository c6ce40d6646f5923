import { z } from 'zod';
import { sha256 } from '../../base/hash.io.ts';
import type { Issue, IssueComment } from '../issue.ts';
import { type IssueState, isLockedState } from '../state.ts';
import { priorityField } from './lenient.ts';
import { factsFromLabels, foreignLock } from './state-labels.ts';

/** In `bd list` and the export an edge; in `bd show` the whole other issue with its `dependency_type`. */
const dependencySchema = z.looseObject({
  id: z.string().optional(),
  depends_on_id: z.string().optional(),
  type: z.string().optional(),
  dependency_type: z.string().optional(),
});

export const beadsCommentSchema = z.looseObject({
  id: z.coerce.string(),
  author: z.string().optional(),
  text: z.string(),
  created_at: z.string().optional(),
});

/** The fields of an issue that we use, in the words of beads (`internal/types`). */
export const beadsIssueSchema = z.looseObject({
  id: z.string().min(1),
  title: z.string(),
  description: z.string().nullish(),
  acceptance_criteria: z.string().nullish(),
  status: z.string().optional(),
  priority: priorityField,
  labels: z.array(z.string()).nullish(),
  dependencies: z.array(dependencySchema).nullish(),
  comments: z.array(beadsCommentSchema).nullish(),
  updated_at: z.string().optional(),
});
export type BeadsIssue = z.infer<typeof beadsIssueSchema>;

/** Statuses with which nobody is to work on an issue. */
const held: ReadonlySet<string> = new Set(['blocked', 'deferred', 'pinned']);
/** Whether somebody has claimed the issue. */
export const isWorking = (status: string | undefined): boolean =>
  status === 'in_progress' || status === 'hooked';

export const canceledLabel = 'state:canceled';

/** `exists` says whether an id is known: an edge to a purged issue blocks nothing in beads. */
export const issueOfBeads = (bead: BeadsIssue, exists: (id: string) => boolean): Issue => {
  const status = bead.status ?? 'open';
  const facts = factsFromLabels((bead.labels ?? []).filter((label) => label !== canceledLabel));
  const edges = (bead.dependencies ?? []).map((edge) => ({
    id: edge.depends_on_id ?? edge.id ?? '',
    type: edge.type ?? edge.dependency_type ?? 'blocks',
  }));
  const parent = edges.find(({ type }) => type === 'parent-child')?.id;
  const body = [bead.description ?? '', bead.acceptance_criteria ?? '']
    .filter((part) => part !== '')
    .join('\n\n');
  return {
    id: bead.id,
    title: bead.title,
    body,
    state: stateOf(status, facts.state, (bead.labels ?? []).includes(canceledLabel)),
    estimate: facts.estimate,
    priority: bead.priority ?? null,
    labels: facts.labels,
    ...(parent === undefined ? {} : { parent }),
    blockedBy: edges.filter(({ id, type }) => type === 'blocks' && exists(id)).map(({ id }) => id),
    comments: (bead.comments ?? []).map(commentOfBeads),
    revision: sha256(JSON.stringify([bead.updated_at, status, bead.labels, bead.title, body])).slice(0, 16),
    ...(isWorking(status) ? { lock: foreignLock(bead.updated_at ?? '') } : {}),
    ...(held.has(status) ? { held: status } : {}),
  };
};

const stateOf = (status: string, labelled: IssueState, isCanceled: boolean): IssueState => {
  if (status === 'tombstone') return 'Canceled';
  if (status === 'closed') return isCanceled ? 'Canceled' : 'Done';
  if (isWorking(status)) return isLockedState(labelled) ? labelled : 'In Progress';
  return labelled;
};

/** beads names authors but not their standing, so only our own comments count. */
export const commentOfBeads = (comment: z.infer<typeof beadsCommentSchema>): IssueComment => ({
  id: comment.id,
  author: comment.author ?? null,
  role: null,
  body: comment.text,
  at: comment.created_at ?? '',
  editedBy: null,
});
