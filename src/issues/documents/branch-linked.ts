import type { Issue, IssueComment } from '../issue.ts';
import { artifactOf } from './artifact-comment.ts';

/** The branch that the last comment about finished work names, of those that count; `null` without one. */
export const branchLinked = (
  { comments }: Pick<Issue, 'comments'>,
  counts: (comment: IssueComment) => boolean,
): string | null => {
  const link = comments
    .filter(counts)
    .map(({ body }) => artifactOf(body))
    .findLast((each) => each?.kind === 'implementation');
  const [, branch = null] =
    /^Branch (ralph\/[A-Za-z0-9][A-Za-z0-9-]*)$/m.exec(link?.summary.join('\n') ?? '') ?? [];
  return branch;
};
