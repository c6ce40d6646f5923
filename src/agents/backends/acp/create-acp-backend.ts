import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import type { Disk } from '../../../base/disk.ts';
import { childEnvironment } from '../../../base/process/child-environment.ts';
import type { Spawn } from '../../../base/process/spawn.ts';
import type { Redact } from '../../../base/redact.ts';
import { markerOf } from '../../marker.ts';
import { createPlaces } from '../../places.ts';
import type { Backend, BackendHost, Brief } from '../../port.ts';
import type { AgentProfile } from '../../profiles/profile.ts';
import type { AgentTools } from '../../tools.ts';
import { slotVariable } from '../slot-variable.ts';
import { type AcpWorkerPorts, createAcpWorker } from './acp-worker.ts';
import { createAgentLog } from './agent-log.ts';
import { agentVariables, withheldVariables } from './environment/agent-variables.ts';
import { withOwnCli } from './environment/own-cli.ts';

interface AcpDeps {
  readonly disk: Disk;
  readonly spawn: Spawn;
  readonly clock: Clock;
  /** The program's environment. An agent inherits what `childEnvironment` passes and what its profile lists. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Our tools for agents, if offered. */
  readonly tools?: AgentTools;
  /** This program's version, sent to agents. */
  readonly version: string;
  /** Redacts secrets in the agent's log. */
  readonly redact?: Redact;
}

/** A backend for an agent that speaks the Agent Client Protocol (src/agents/README.md). */
export const createAcpBackend = (deps: AcpDeps, known: AgentProfile): Backend => ({
  name: known.name,
  label: known.label,
  model: { tools: deps.tools !== undefined, asks: true, ...(hears(known) ? { hears: true } : {}) },
  start: (brief, host) => createAcpWorker(acpPorts(deps, known, brief, host)),
});

/** Everything that one process of an agent needs. */
export const acpPorts = (
  deps: AcpDeps,
  known: AgentProfile,
  brief: Brief,
  host: BackendHost,
): AcpWorkerPorts => {
  const profile = withOwnCli(known, deps, brief.workspace);
  const log = createAgentLog(deps, join(brief.sessionDirectory, 'logs', `${brief.invocation}.agent.log`));
  return {
    brief,
    host,
    clock: deps.clock,
    profile,
    log,
    withheld: withheldVariables(profile, deps.env),
    tools: deps.tools ?? null,
    places: createPlaces(deps.disk, brief.workspace, loadsOf(brief)),
    uriOf: (path) => uriOf(deps.disk, brief.workspace, path),
    // Load with the first agent: the SDK is large, and most commands start no agent.
    connect: async (listener, env) => {
      const { connect } = await import('./connect.io.ts');
      return connect({
        spawn: deps.spawn,
        clock: deps.clock,
        profile,
        listener,
        version: deps.version,
        command: {
          command: profile.command,
          cwd: brief.workspace,
          env: { ...environmentOf(deps, profile, brief), ...env },
          marker: markerOf(brief),
        },
      });
    },
  };
};

/** Whether a message can join a reply of this agent. */
const hears = ({ steers, secondPrompt, pullsWith }: AgentProfile): boolean =>
  steers || secondPrompt === 'injects' || pullsWith !== null;

const environmentOf = (deps: AcpDeps, profile: AgentProfile, brief: Brief): Record<string, string> => ({
  ...childEnvironment(deps.env, agentVariables(profile, deps.env)),
  RALPH_SESSION: brief.session,
  RALPH_TASK: brief.task?.id ?? '',
  ...slotVariable(brief),
});

/** What the agents of this session load beyond those that are known. */
const loadsOf = ({ settings }: Brief): readonly string[] =>
  Object.values(settings.agents).flatMap((agent) => loadsSchema.safeParse(agent).data?.loads ?? []);

const loadsSchema = z.object({ loads: z.array(z.string()) });

/** Gives the link to an existing file inside the workspace, else `null`. */
const uriOf = (disk: Disk, workspace: string, path: string): string | null => {
  const file = resolve(workspace, path);
  if (!file.startsWith(`${workspace}/`) || disk.lstat(file)?.kind !== 'file') return null;
  return `file://${file.split('/').map(encodeURIComponent).join('/')}`;
};
