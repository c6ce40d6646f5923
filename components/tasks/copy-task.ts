import { safeBlock } from '../../src/base/safe.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { type Copyable, nothingToCopy } from '../pane/copyable.ts';
import type { ViewState } from '../view.ts';
import { selectTask } from './select-tasks.ts';

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
