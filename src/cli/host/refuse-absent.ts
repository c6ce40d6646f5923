import type { Settings } from '../../session/settings.ts';
import { type Cli, Exit, exitCodes } from '../cli.ts';
import { findAgents } from '../session/found-agents.ts';
import type { World } from '../world.ts';

/**
 * An agent that has a role, or a task of its own, and whose program is not there ends the program before a session begins: exit 2 with how to
 * install it. A name that nobody knows is refused with the configuration.
 */
export const refuseAbsent = (
  cli: Cli,
  world: World,
  workspace: string,
  settings: Pick<Settings, 'agents' | 'roles'>,
  tasks: readonly { readonly agent?: string | undefined }[] = [],
): void => {
  const needed = new Set([...Object.values(settings.roles), ...tasks.flatMap(({ agent }) => agent ?? [])]);
  const absent = findAgents(world, cli.env['PATH'], workspace, settings).find(
    ({ name, file }) => needed.has(name) && file === null,
  );
  if (absent === undefined) return;
  const { name, program, profile } = absent;
  const install = profile?.install ?? null;
  const label = profile?.label ?? name;
  throw new Exit(
    exitCodes.usage,
    {
      code: 'agent-not-found',
      what: `${label} is not installed: ${program} was not found`,
      where: name,
      hint:
        install === null
          ? `put \`${program}\` on the PATH, or name its path in agents.${name}.command`
          : `install it with \`${install.command}\` (about ${install.megabytes} MB)`,
    },
    [],
    install === null ? null : { label, ...install },
  );
};
