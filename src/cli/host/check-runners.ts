import { placesOf } from '../../pipeline/agents/placement.ts';
import type { Settings } from '../../session/settings.ts';
import type { TaskDefinition } from '../../tasks/task.ts';
import { here, placeNames } from '../../tasks/task.ts';
import { Exit, exitCodes } from '../cli.ts';
import { unknownRunner } from '../runners/wire-runners.ts';

type Named = Pick<Settings, 'runners' | 'on' | 'agents' | 'roles' | 'isolation' | 'commit'>;

/** Ends the program with exit 2 when a task, a role or an agent is placed on a runner that nobody configured, or where no worktree may be made. */
export const checkRunners = (
  settings: Named,
  tasks: readonly Pick<TaskDefinition, 'id' | 'on' | 'agent'>[],
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
      placesOf({ on: {}, agents: settings.agents }, 'IMPLEMENT', undefined, agent),
      `agents.${agent}.on`,
    );
  if (settings.isolation !== 'shared' && !settings.commit) return;
  if (!tasks.some((task) => isPlaced(settings, task)) && settings.on.all === undefined) return;
  const key = settings.commit ? 'commit: true' : 'isolation: shared';
  throw new Exit(exitCodes.usage, {
    code: 'runner-needs-worktree',
    what: `a runner's result comes back as a commit of its own, and ${key} leaves no place for it`,
    hint: settings.commit ? 'set commit: false' : 'set isolation: worktree',
  });
};

/** Whether a task may run on another machine. */
export const isPlaced = (
  settings: Pick<Settings, 'on' | 'agents' | 'roles'>,
  task: Pick<TaskDefinition, 'on' | 'agent'>,
): boolean =>
  placesOf(settings, 'IMPLEMENT', task, task.agent ?? settings.roles['executor'] ?? 'script').some(
    (name) => name !== here,
  );

const refuse = (settings: Named, names: readonly string[], where: string): void => {
  const unknown = names.find((name) => name !== here && !Object.hasOwn(settings.runners, name));
  if (unknown !== undefined) throw new Exit(exitCodes.usage, { ...unknownRunner(unknown, settings), where });
};
