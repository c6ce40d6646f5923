import type { Fault } from '../base/fault.ts';
import type { Settings } from '../session/settings.ts';
import type { TaskDefinition } from '../tasks/task.ts';
import type { Examined } from './examined.ts';

/** Where the tasks of a session change files. */
export interface ChosenIsolation {
  readonly isolation: 'worktree' | 'shared';
  /** Why tasks share the workspace although worktrees would be the default, in one sentence without its dot. */
  readonly reason: string | null;
}

/** Whether worktrees are wanted, as `isolation` says. `commit` asks for commits on the person's own branch, which worktrees do not make. */
export const wantsWorktrees = (
  { isolation, commit, roles, on }: Pick<Settings, 'isolation' | 'commit' | 'roles' | 'on'>,
  tasks: readonly Pick<TaskDefinition, 'agent' | 'on'>[],
): boolean => {
  // What a runner changed comes back as a commit, and is merged like that of any attempt.
  if (Object.keys(on).length > 0 || tasks.some((task) => task.on !== undefined)) return true;
  if (isolation !== 'auto') return isolation === 'worktree';
  const usual = roles['executor'] ?? roles['Executor'] ?? 'script';
  const agents = tasks.length === 0 ? [usual] : tasks.map(({ agent }) => agent ?? usual);
  return !commit && agents.some((agent) => agent !== 'script');
};

/**
 * Worktrees where the repository allows them. Where it does not, a fault for who asked for them or placed work on a runner (`placed`), else the shared
 * workspace with the reason.
 */
export const chooseIsolation = (
  { isolation }: Pick<Settings, 'isolation'>,
  { worktrees, notes }: Pick<Examined, 'worktrees' | 'notes'>,
  placed = false,
): ChosenIsolation | Fault => {
  if (isolation === 'worktree') {
    if (worktrees.ok) return { isolation, reason: null };
    const what = worktrees.reason.replace(/\.$/, '');
    return { code: 'no-worktrees', what, hint: 'fix that, or set isolation: shared' };
  }
  const lost = notes.find(({ kind }) => kind === 'dirty-submodules');
  const reason = worktrees.ok ? (lost?.sentence ?? null) : worktrees.reason;
  if (reason === null) return { isolation: 'worktree', reason };
  // In the shared workspace it would work here, outside its fence.
  if (placed)
    return {
      code: 'runner-needs-worktree',
      what: `a task on a runner needs a worktree of its own. ${reason.replace(/\.$/, '')}`,
      hint: 'fix that, or remove `on:`',
    };
  return { isolation: 'shared', reason: `${reason} Tasks share the workspace` };
};
