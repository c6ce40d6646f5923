import { safeBlock } from '../../base/safe.ts';
import { sessionPaths } from '../../session/paths.ts';
import { type Copyable, nothingToCopy } from '../copyable.ts';
import { selectTask } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';

/** The definition of the selected task with its verdict, and its file. */
export const copyTask = (view: ViewState): Copyable => {
  const { session } = view;
  const id = selectTask(view);
  const task = id === null ? undefined : session?.tasks.get(id);
  if (session === null || id === null || task === undefined) return nothingToCopy;
  const { title, objective, criteria, iteration } = task.definition;
  return {
    text: safeBlock(
      [`${id}: ${title}`, objective, ...criteria.map((each) => `- ${each}`), task.reason ?? '']
        .filter((line) => line !== '')
        .join('\n'),
    ),
    path: sessionPaths(session.workspace, session.session).iteration(iteration).task(id),
  };
};
