import { safe } from '../../base/safe.ts';
import type { SessionState } from '../state.ts';

/** Letters of a commit's first line: more is cut off where commits are listed. */
const longestTitle = 72;

/** The first line of the goal, at most as long as the first line of a commit. */
export const finishTitle = ({ goal }: Pick<SessionState, 'goal'>): string => {
  const title = titleOf(goal);
  if (title.length <= longestTitle) return title;
  const cut = title.slice(0, longestTitle - 1);
  const space = cut.lastIndexOf(' ');
  return `${space > longestTitle / 2 ? cut.slice(0, space) : cut}…`;
};

/** The message of the commit that brings the session's work to the person's branch: the goal, the tasks that are done, and the session. */
export const finishMessage = (state: Pick<SessionState, 'goal' | 'session' | 'tasks'>): string => {
  const title = finishTitle(state);
  const done = [...state.tasks.values()].filter(({ status }) => status === 'done');
  const list = done.map(({ definition: { id, title: name } }) => `- ${safe(name).trim() || id} (${id})`);
  return [
    title,
    ...(title === titleOf(state.goal) ? [] : [titleOf(state.goal)]),
    ...(list.length === 0 ? [] : [list.join('\n')]),
    `Session: ${state.session}`,
  ].join('\n\n');
};

/** Without the mark of a heading. */
const titleOf = (goal: string): string =>
  safe(goal.trimStart().split('\n', 1)[0] ?? '')
    .replace(/^#+ +/, '')
    .trim();
