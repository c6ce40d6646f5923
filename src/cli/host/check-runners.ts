import type { Fault } from '../../base/fault.ts';
import { configuredPlaces } from '../../pipeline/agents/placement.ts';
import type { Settings } from '../../session/settings.ts';
import type { TaskDefinition } from '../../tasks/task.ts';
import { here, placeNames } from '../../tasks/task.ts';
import { Exit, exitCodes } from '../cli.ts';
import { unknownRunner } from '../runners/configured-runner.ts';

type Named = Pick<Settings, 'runners' | 'on' | 'agents' | 'roles' | 'isolation' | 'commit'>;

/** Ends the program with exit 2 when a task, a role or an agent is placed on a runner that nobody configured, or where no worktree may be made. */
export const checkRunners = (
  settings: Named,
  tasks: readonly Pick<TaskDefinition, 'id' | 'on' | 'agent'>[],
  mode: 'loop' | 'waves' | 'flow' = 'waves',
): void => {
  for (const task of tasks)
    refuse(settings, task.on === undefined ? [] : placeNames(task.on), `task ${task.id}`);
  for (const [role, places] of Object.entries(settings.on))
    refuse(
      settings,
      places === undefined ? [] : placeNames(places),
      role === 'all' ? '--on, or on.all' : `on.${role}`,
    );
  for (const agent of new Set(
    tasks.flatMap(({ agent }) => agent ?? []).concat(Object.values(settings.roles)),
  ))
    refuse(
      settings,
      configuredPlaces(
        { on: {}, agents: settings.agents },
        { mode: 'IMPLEMENT', task: undefined, backend: agent },
      ),
      `agents.${agent}.on`,
    );
  if (!areAnyPlaced(settings, tasks)) return;
  if (mode === 'loop')
    throw new Exit(exitCodes.usage, needsWorktree('a loop works in the workspace itself', 'remove `on:`'));
  if (settings.commit)
    throw new Exit(exitCodes.usage, needsWorktree('commit: true rules it out', 'set commit: false'));
  if (settings.isolation === 'shared')
    throw new Exit(
      exitCodes.usage,
      needsWorktree('isolation: shared rules it out', 'set isolation: worktree'),
    );
};

/** The workspace is shared, and something is placed: it would work here, outside its fence or away from its machine. */
export const needsWorktree = (why: string, hint: string): Fault => ({
  code: 'runner-needs-worktree',
  what: `a runner returns its result as a separate commit, but ${why}`,
  hint,
});

/** Whether anything may run on another machine or in a fence. Without tasks, the roles and their agents count. */
export const areAnyPlaced = (
  settings: Placing,
  tasks: readonly Pick<TaskDefinition, 'on' | 'agent'>[],
): boolean =>
  (tasks.length === 0 ? [{}] : tasks).some((task) =>
    placesOfTask(settings, task).some((name) => name !== here),
  );

/** Where a task may be worked on and reviewed. */
const placesOfTask = (settings: Placing, task: Pick<TaskDefinition, 'on' | 'agent'>): readonly string[] => {
  const executor = task.agent ?? settings.roles['executor'] ?? 'script';
  const reviewer = settings.roles['reviewer'] ?? 'script';
  return [
    ...configuredPlaces(settings, { mode: 'IMPLEMENT', task, backend: executor }),
    ...configuredPlaces(settings, { mode: 'TASK_REVIEW', task, backend: reviewer }),
    ...placeNames(settings.on.verify ?? here),
  ];
};

type Placing = Pick<Settings, 'on' | 'agents' | 'roles'>;

const refuse = (settings: Named, names: readonly string[], where: string): void => {
  const unknown = names.find((name) => name !== here && !Object.hasOwn(settings.runners, name));
  if (unknown !== undefined)
    throw new Exit(exitCodes.usage, { ...unknownRunner(unknown, settings, [here]), where });
};
