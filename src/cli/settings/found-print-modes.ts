import { agentVariables } from '../../agents/backends/acp/environment/agent-variables.ts';
import { profiles } from '../../agents/profiles/index.ts';
import type { AgentProfile } from '../../agents/profiles/profile.ts';
import { findTyped, isProgramThere } from '../../base/process/find-program.ts';
import { ownPath } from '../../base/process/own-program.io.ts';
import { type Layer, resolveSettings } from '../../session/config.ts';
import type { Settings } from '../../session/settings.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';

/**
 * Agents that are on the PATH without the adapter that speaks to them: entries `agents.<name>` that use their print mode, as a person could write them. Only where
 * the configuration has no entry of that name, and no other machine, which may have the adapter.
 */
export const foundPrintModes = (
  { env }: Pick<Cli, 'env'>,
  { disk }: Pick<World, 'disk'>,
  workspace: string,
  layers: readonly Layer[],
): Layer => {
  const { settings, origins } = resolveSettings(layers);
  const own = ownPath(env['PATH'], [workspace]);
  const isThere = (program: string): boolean =>
    findTyped(program, workspace, own, isProgramThere(disk)) !== null;
  const isAlone = Object.keys(settings.runners).length === 0;
  const found = profiles.flatMap((profile) => {
    const { name, command, ownCli } = profile;
    const isFree = isAlone && !Object.hasOwn(settings.agents, name);
    if (!isFree || ownCli === null || isThere(command[0] ?? '') || !isThere(ownCli.program)) return [];
    // Nobody chose `ask`, which this agent cannot do: it may then edit, or it would be of no use.
    const preset = origins.get('permissions')?.layer === 'defaults' ? 'edits' : settings.permissions;
    return entryOf(profile, ownCli.program, preset, env);
  });
  return { name: 'defaults', file: null, line: null, values: { agents: Object.fromEntries(found) } };
};

const entryOf = (
  profile: AgentProfile,
  program: string,
  preset: Settings['permissions'],
  env: Cli['env'],
): readonly (readonly [name: string, entry: unknown])[] => {
  const { name, label, printMode } = profile;
  if (printMode === null) return [];
  const { output, args, allows } = printMode;
  return [
    [
      name,
      {
        type: 'command',
        label,
        command: [program, ...args, ...allows[preset]],
        output,
        env: { ...profile.env },
        pass_env: Object.keys(agentVariables({ ...profile, env: {}, envDefaults: {}, jsonEnv: {} }, env)),
      },
    ],
  ];
};
