import { z } from 'zod';
import { countComments } from '../documents/counting-comments.ts';
import type { IssueComment } from '../issue.ts';
import { commentOf, ghCommentSchema, roleOf } from '../trackers/gh-issue.ts';

const reviewSchema = z.object({
  id: z.string().default(''),
  author: z.object({ login: z.string() }).nullish(),
  authorAssociation: z.string().default(''),
  state: z.string(),
  body: z.string().default(''),
  submittedAt: z.string().nullish(),
  includesCreatedEdit: z.boolean().optional(),
  commit: z.object({ oid: z.string() }).nullish(),
});
type Review = z.infer<typeof reviewSchema>;

/** What people said about a pull request, in the fields of `gh pr view --json comments,reviews`. */
export const saidFields = {
  comments: z.array(ghCommentSchema.extend({ isMinimized: z.boolean().optional() })).default([]),
  reviews: z.array(reviewSchema).default([]),
};
const saidSchema = z.object(saidFields);
type Said = z.infer<typeof saidSchema>;

/** A comment on a line, as `gh api` gives it. */
export const lineCommentsSchema = z.array(
  z.object({
    id: z.number().optional(),
    path: z.string(),
    line: z.number().nullish(),
    body: z.string(),
    author_association: z.string(),
    user: z.object({ login: z.string() }).nullish(),
    original_commit_id: z.string().optional(),
  }),
);
type LineComment = z.infer<typeof lineCommentsSchema>[number];

/** Ids of all that was said. */
export const idsOf = ({ comments, reviews }: Said): readonly string[] => [
  ...comments.map(({ url }) => url),
  ...reviews.flatMap(({ id }) => (id === '' ? [] : [id])),
];

/** The newest word of each member counts. A comment is none: it leaves the word before it as it is. */
export const changeRequests = ({ reviews }: Pick<Said, 'reviews'>): readonly Review[] => {
  const last = new Map(
    reviews
      .filter(({ authorAssociation, state }) => isMember(authorAssociation) && !wordless.has(state))
      .map((review) => [loginOf(review), review]),
  );
  return [...last.values()].filter(({ state }) => state === 'CHANGES_REQUESTED');
};

const wordless: ReadonlySet<string> = new Set(['COMMENTED', 'PENDING']);

/** Comments of members that were not answered yet, oldest first, and the reviews among them. Hidden ones, and those before an approval of their author, are settled. */
export const openComments = (
  said: Said,
  answered: ReadonlySet<string>,
): { readonly comments: readonly IssueComment[]; readonly reviews: readonly Review[] } => {
  const reviews = said.reviews.filter(({ id, state }) => state === 'COMMENTED' && id !== '');
  const all = [
    ...said.comments.filter(({ isMinimized }) => isMinimized !== true).map(commentOf),
    ...reviews.map(asComment),
  ];
  const approved = (login: string, at: string): boolean =>
    said.reviews.some(
      (review) =>
        review.state === 'APPROVED' && loginOf(review) === login && (review.submittedAt ?? '') >= at,
    );
  // This program comments on issues only, so none of these is its own.
  const comments = countComments(all, new Map(), () => '')
    .counting.filter(({ id, author, at }) => !answered.has(id) && !approved(author ?? '', at))
    .sort((one, other) => one.at.localeCompare(other.at));
  const open = new Set(comments.map(({ id }) => id));
  return { comments, reviews: reviews.filter(({ id }) => open.has(id)) };
};

const asComment = (review: Review): IssueComment => ({
  id: review.id,
  author: review.author?.login ?? null,
  role: roleOf(review.authorAssociation),
  body: review.body,
  at: review.submittedAt ?? '',
  editedBy: review.includesCreatedEdit === true ? 'someone' : null,
});

/** Whether a comment on a line belongs to one of these reviews, as far as GitHub says it. */
export const isOfReview = (
  { user, author_association, original_commit_id }: LineComment,
  reviews: readonly Review[],
): boolean =>
  isMember(author_association) &&
  reviews.some(
    (review) =>
      (user?.login === undefined || user.login === loginOf(review)) &&
      (original_commit_id === undefined ||
        review.commit?.oid === undefined ||
        original_commit_id === review.commit.oid),
  );

export const wordsOfLine = ({ path, line, body, user }: LineComment): string =>
  `${user?.login === undefined ? '' : `${user.login} on `}${path}${line ? `:${line}` : ''}: ${body}`;

export const wordsOfComment = ({ author, body }: IssueComment): readonly string[] =>
  body.trim() === '' ? [] : [`${author ?? 'a member'} commented: ${body}`];

const isMember = (association: string): boolean => roleOf(association) !== 'other';

const loginOf = ({ author }: Review): string => author?.login ?? '';
