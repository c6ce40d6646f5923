import type { Issue, IssueComment } from '../issue.ts';

/** The comments that we posted: id and hash of the text, kept in our state directory where no agent can write. */
export type OwnComments = ReadonlyMap<string, string>;

interface CountedComments {
  /** In the order of the tracker: the last one wins. */
  readonly counting: readonly IssueComment[];
  readonly ignored: readonly { readonly comment: IssueComment; readonly reason: string }[];
}

/**
 * Sorts comments into those that count and those that do not, because a stranger could plant a plan (src/issues/README.md, Documents and comments). A comment
 * counts when we posted exactly this text, or when the tracker says that an owner, member or collaborator wrote it and that no other person edited it.
 */
export const countComments = (
  comments: Issue['comments'],
  own: OwnComments,
  hash: (text: string) => string,
): CountedComments => {
  const judged = comments.map((comment) => ({ comment, reason: reasonAgainst(comment, own, hash) }));
  return {
    counting: judged.flatMap(({ comment, reason }) => (reason === null ? [comment] : [])),
    ignored: judged.flatMap(({ comment, reason }) => (reason === null ? [] : [{ comment, reason }])),
  };
};

const reasonAgainst = (
  comment: IssueComment,
  own: OwnComments,
  hash: (text: string) => string,
): string | null => {
  const known = own.get(comment.id);
  if (known === hash(comment.body)) return null;
  if (comment.author === null || comment.role === null)
    return known === undefined ? 'its author is unknown' : 'it was changed after we posted it';
  if (comment.role === 'other') return `${comment.author} is not a member of the project`;
  return comment.editedBy === null ? null : `${comment.editedBy} edited it`;
};
