import { realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { agentVariables } from '../../agents/backends/acp/environment/agent-variables.ts';
import { fenceProfiles, loginsOf } from '../../agents/backends/acp/fences.ts';
import { acpAgentSchema } from '../../agents/profiles/profile.ts';
import { childEnvironment } from '../../base/process/child-environment.ts';
import { findProgram, isProgramThere } from '../../base/process/find-program.ts';
import type { Carrier } from '../../runners/carriers/carrier.ts';
import { createSandboxCarrier } from '../../runners/carriers/sandbox.io.ts';
import type { FencedProgram } from '../../runners/fence/fenced-program.ts';
import { sessionPaths } from '../../session/paths.ts';
import type { RunnerSettings } from '../../session/settings/runners.ts';
import type { Settings } from '../../session/settings.ts';
import { knownAgents, usedAgents } from '../agents/known-agents.ts';
import type { Cli } from '../cli.ts';
import { stateDirectory } from '../state-directory.ts';
import type { World } from '../world.ts';
import { ownProgram } from './own-program.ts';

/** The session whose work it does. */
interface SessionOf {
  readonly session: string;
  readonly workspace: string;
}

/** A fence for the agents of these settings: their logins, their models' machines, and their programs come in, and nothing else of this account. */
export const sandboxCarrier = (
  cli: Pick<Cli, 'env' | 'cwd'>,
  world: World,
  settings: Pick<Settings, 'agents' | 'roles'>,
  { name, session }: { readonly name: string; readonly session: SessionOf | null },
  { network, hosts, tools }: Extract<RunnerSettings, { sandbox: string }>,
): Carrier => {
  const used = usedAgents(settings);
  const agents = knownAgents(settings).filter(
    (agent) => used.has(agent.name) || Object.hasOwn(settings.agents, agent.name),
  );
  const fences = agents.flatMap((agent) => fenceProfiles[profileName(settings, agent.name)] ?? []);
  const { HOME: home = '/nonexistent', ...inherited } = childEnvironment(cli.env);
  const variables = agents.flatMap(({ profile }) =>
    profile === null
      ? []
      : Object.entries(agentVariables({ ...profile, env: {}, envDefaults: {}, jsonEnv: {} }, cli.env)),
  );
  // The places that they name do not exist inside.
  const places = new Set(Object.values(fenceProfiles).map(({ place }) => place?.variable));
  const env = { ...kept(inherited), ...Object.fromEntries(variables.filter(([name]) => !places.has(name))) };
  const state = stateDirectory(cli.env);
  const work =
    session === null
      ? null
      : {
          directory: join(state, 'fenced-work'),
          session: sessionPaths(session.workspace, session.session).directory,
        };
  return createSandboxCarrier(
    { ...world, machine: hostname(), directory: join(state, 'fences'), work },
    {
      name,
      node: process.execPath,
      program: ownProgram(),
      programs: agents.flatMap(({ program }) => foundAt(cli, world, program)),
      tools,
      network,
      home,
      path: cli.env['PATH'],
      logins: fences.flatMap((fence) => loginsOf(fence, cli.env)),
      hosts: [...fences.flatMap((fence) => fence.hosts), ...hosts],
      env,
    },
  );
};

/** An agent of the configuration may be a built-in one under another name. */
const profileName = ({ agents }: Pick<Settings, 'agents'>, name: string): string => {
  const entry = acpAgentSchema.safeParse(Object.hasOwn(agents, name) ? agents[name] : undefined);
  return (entry.success ? entry.data.profile : undefined) ?? name;
};

/** Variables about this account's directories, sockets and proxies mean nothing inside. */
const kept = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) =>
      /^(?:LANG|LANGUAGE|LC_\w+|TZ|TERM|COLORTERM|NO_COLOR|CI)$/u.test(name),
    ),
  );

/** Where an agent's program is, and where its links end. A link to nothing is no program. */
const foundAt = (
  cli: Pick<Cli, 'env' | 'cwd'>,
  { disk }: World,
  program: string,
): readonly FencedProgram[] => {
  const file = findProgram(program, cli.cwd, cli.env, isProgramThere(disk));
  if (file === null) return [];
  try {
    return [{ file, real: realpathSync(file) }];
  } catch {
    return [];
  }
};
