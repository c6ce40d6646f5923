import { agentVariables } from '../../agents/backends/acp/environment/agent-variables.ts';
import { childEnvironment } from '../../base/process/child-environment.ts';
import type { Carrier } from '../../runners/carriers/carrier.ts';
import { createContainerCarrier } from '../../runners/carriers/container.ts';
import type { RunnerSettings } from '../../session/settings/runners.ts';
import type { Settings } from '../../session/settings.ts';
import { knownAgents, usedAgents } from '../agents/known-agents.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';
import { ownProgram } from './own-program.ts';

/** A container for the agents of these settings: the variables of their logins come in by name, and no file of this account. */
export const containerCarrier = (
  cli: Pick<Cli, 'env' | 'cwd'>,
  { spawn, clock }: World,
  settings: Pick<Settings, 'agents' | 'roles'>,
  name: string,
  { container: engine, image, memory, pids, network }: Extract<RunnerSettings, { container: string }>,
): Carrier => {
  const used = usedAgents(settings);
  const variables = knownAgents(settings).flatMap(({ name: agent, profile }) =>
    profile !== null && (used.has(agent) || Object.hasOwn(settings.agents, agent))
      ? Object.entries(agentVariables({ ...profile, env: {}, envDefaults: {}, jsonEnv: {} }, cli.env))
      : [],
  );
  return createContainerCarrier(
    { spawn, clock, cwd: cli.cwd, env: { ...childEnvironment(cli.env), ...Object.fromEntries(variables) } },
    {
      name,
      engine,
      image,
      memory,
      pids,
      network,
      program: ownProgram(),
      variables: [...new Set(variables.map(([variable]) => variable))].sort(),
    },
  );
};
