import { createBackends } from '../../agents/backends/index.io.ts';
import type { Backend } from '../../agents/port.ts';
import { findAgents } from '../agents/found-agents.ts';
import { type Cli, Exit, exitCodes, usage } from '../cli.ts';
import { agentSubjects } from '../trust/agent-subjects.ts';
import { agreeTo, type Consent } from '../trust/ask-trust.ts';
import { version } from '../version.ts';
import type { World } from '../world.ts';
import { scanSettings } from './discovery-settings.ts';

/** An agent reads and thinks longer than a probe. */
const usualMs = 120_000;

/**
 * The agent for the explorers of a scan: the named one, else the Questioner of the settings, else the first one installed. What it would load
 * from the repository is asked about first. Throws a usage error when there is none.
 */
export const explorer = async (
  cli: Cli,
  world: World,
  workspace: string,
  how: { readonly agent: string | undefined; readonly timeoutMs: number | null; readonly consent: Consent },
): Promise<{ readonly backend: Backend; readonly timeoutMs: number }> => {
  const settings = scanSettings(cli, world, workspace, () => {});
  const { questioner } = settings.roles;
  const installed = findAgents(world, cli.env['PATH'], workspace, settings).filter(
    ({ file }) => file !== null,
  );
  const name = how.agent ?? (questioner === 'script' ? undefined : questioner) ?? installed[0]?.name;
  const backends = createBackends({ ...world, env: cli.env, version }, settings.agents);
  const backend = backends.find((each) => each.name === name && each.model !== undefined);
  if (backend === undefined)
    throw usage(
      name === undefined ? 'no agent is installed' : `"${name}" is not an agent that can explore`,
      name === undefined
        ? '`ralph-tui doctor` shows how to install one'
        : 'name another with --agent; `ralph-tui doctor` lists the installed agents',
    );
  const subjects = agentSubjects(world, workspace, { ...settings, roles: { questioner: backend.name } });
  if (!(await agreeTo(cli, world, { workspace, subjects }, how.consent)))
    throw new Exit(exitCodes.waits, { code: 'not-agreed', what: 'nothing was scanned' });
  return { backend, timeoutMs: how.timeoutMs ?? usualMs };
};
