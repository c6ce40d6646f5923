import type { Issue } from '../issue.ts';
import { countComments, type OwnComments } from './counting-comments.ts';
import { type DocumentFile, findDocument } from './find-document.ts';

/** Where the plan of an issue is: a path relative to the workspace, or a URL. `null`: no document counts as its plan. */
export const planOfIssue = (
  issue: Issue,
  own: OwnComments,
  files: readonly DocumentFile[],
  hash: (text: string) => string,
): string | null => {
  const { counting } = countComments(issue.comments, own, hash);
  const found = (['plan', 'group-plan'] as const).flatMap(
    (kind) => findDocument(issue, kind, counting, files) ?? [],
  );
  return found[0]?.location ?? null;
};
