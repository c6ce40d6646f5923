import { reviewRequestOf } from '../../src/pipeline/changes/person-review.ts';
import { selectQuestion } from '../question/select-question.ts';
import { selectTask } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';

/** A comment on a line of the file as it is now. */
export interface Comment {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** The open review of the attempt that the Changes tab shows; a sentence where there is none. */
export const selectReview = (view: ViewState): { readonly request: string } | string => {
  const { session } = view;
  const task = selectTask(view);
  const state = task === null ? undefined : session?.tasks.get(task);
  if (session === null || state === undefined) return 'There is no task to review yet';
  if (view.ui.scope === 'session') return 'A review covers one task: {read.scope} shows its changes';
  const request = reviewRequestOf(state);
  const { attempt } = view.ui.log;
  if (attempt !== null && attempt !== state.attempt) return 'Only the latest attempt can be reviewed';
  if (selectQuestion(session, request) !== null) return { request };
  return session.settings.review === 'agent'
    ? 'The Reviewer decides here: set `review` to `person` or `both` to be asked'
    : `${task} is not waiting for your review now`;
};

/** The comments written for a review and not sent yet. They are kept with the drafts, so another screen has them too. */
export const commentsFor = ({ ui }: ViewState, request: string): readonly Comment[] =>
  (ui.drafts[request] ?? '').split('\n').flatMap((text) => commentIn(text) ?? []);

const commentIn = (text: string): Comment | null => {
  const [, file, line, words] = /^(.+?):(\d+): (.+)$/.exec(text) ?? [];
  return file === undefined || words === undefined ? null : { file, line: Number(line), text: words };
};

/** The draft with another text for this line; '' takes the comment away. Words about no line are after the comments. */
export const draftWith = (view: ViewState, request: string, comment: Comment): string => {
  const { file, line } = comment;
  const others = commentsFor(view, request).filter((each) => each.file !== file || each.line !== line);
  const words = comment.text.trim().replace(/\s*\n\s*/g, ' ');
  const about = (view.ui.drafts[request] ?? '')
    .split('\n')
    .filter((text) => text.trim() !== '' && commentIn(text) === null);
  const lines = [...others, ...(words === '' ? [] : [{ file, line, text: words }])]
    .sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
    .map((each) => `${each.file}:${each.line}: ${each.text}`);
  return [...lines, ...about].join('\n');
};
