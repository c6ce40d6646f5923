import { mergeCommand, printedCommand } from '../../base/process/printed-command.ts';
import type { IssueId } from '../issue.ts';

/** The commands with which a person merges the branch of some issues in the workspace and closes them, as they are typed. */
export const takeCommands = (branch: string, issues: readonly IssueId[], tracker: string): string => {
  const where = tracker === 'native' ? [] : ['--tracker', tracker];
  return [
    mergeCommand(branch),
    ...issues.map((id) => printedCommand('ralph-tui', 'issues', 'move', id, 'done', ...where)),
  ].join(' && ');
};
