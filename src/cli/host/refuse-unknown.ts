import { formatOrigin, resolveSettings } from '../../session/config.ts';
import { agentProblem, knownAgents } from '../agents/known-agents.ts';
import { type Cli, Exit, exitCodes, usage, valueOrExit } from '../cli.ts';
import { findLayers } from '../settings/load-settings.ts';
import type { World } from '../world.ts';

/** Refuses an unknown agent (`--agent`) before anything is written: exit 2 with the known ones. */
export const refuseUnknown = (cli: Cli, world: World, name: string): void => {
  if (name === 'script') return;
  const { layers, faults } = findLayers(cli, world, { workspace: cli.cwd, attended: cli.hasPerson });
  // A file that is wrong may name the agent all the same.
  valueOrExit(faults.length > 0 ? { ok: false, faults } : { ok: true, value: layers });
  const { settings, origins } = resolveSettings(layers);
  const known = knownAgents(settings).map((agent) => agent.name);
  const wrong = agentProblem(name, settings.agents[name]);
  if (wrong !== null)
    throw new Exit(exitCodes.usage, { ...wrong, where: formatOrigin(origins.get('agents') ?? noOrigin) });
  if (!known.includes(name))
    throw usage(
      `unknown agent "${name}"`,
      `known: ${['script (runs the commands of a plan)', ...known].join(', ')}`,
    );
};

const noOrigin = { layer: 'defaults', file: null, line: null } as const;
