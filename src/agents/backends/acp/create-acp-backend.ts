import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import type { Disk } from '../../../base/disk.ts';
import { childEnvironment } from '../../../base/process/child-environment.ts';
import type { Spawn, SpawnCommand } from '../../../base/process/spawn.ts';
import type { Redact } from '../../../base/redact.ts';
import { markerOf } from '../../marker.ts';
import { createPlaces } from '../../places.ts';
import type { Backend, BackendHost, Brief, ExpectedWork } from '../../port.ts';
import type { AgentProfile } from '../../profiles/profile.ts';
import type { AgentTools } from '../../tools.ts';
import { slotVariable } from '../slot-variable.ts';
import { type AcpWorkerPorts, createAcpWorker } from './acp-worker.ts';
import { createAgentLog } from './agent-log.ts';
import { agentVariables, withheldVariables } from './environment/agent-variables.ts';
import { withOwnCli } from './environment/own-cli.ts';
import { startDirectory } from './environment/start-directory.ts';
import type { AgentLink, LinkListener } from './link.ts';
import { type ProgramFor, programOf } from './live-session.ts';
import { openAhead, placeOf } from './warm/ahead-session.ts';
import type { StartedAgent } from './warm/started-agent.ts';
import type { WarmAgents } from './warm/warm-agents.ts';

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
  /** Keeps agents for the next work that would start the same. Absent: each work starts its own. */
  readonly warm?: WarmAgents;
  /** Redacts secrets in the agent's log. */
  readonly redact?: Redact;
}

/** A backend for an agent that speaks the Agent Client Protocol (src/agents/README.md). */
export const createAcpBackend = (deps: AcpDeps, known: AgentProfile): Backend => ({
  name: known.name,
  label: known.label,
  model: { tools: deps.tools !== undefined, asks: true, ...(hears(known) ? { hears: true } : {}) },
  start: (brief, host) => createAcpWorker(acpPorts(deps, known, brief, host)),
  ahead: (expected, host) => startAhead(deps, known, expected, host),
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
    places: createPlaces(
      deps.disk,
      brief.workspace,
      loadsOf(brief),
      environmentOf(deps, profile, brief)['PATH'],
    ),
    uriOf: (path) => uriOf(deps.disk, brief.workspace, path),
    program: programFor(deps, profile, brief),
  };
};

const programFor =
  (deps: AcpDeps, profile: AgentProfile, brief: Brief): ProgramFor =>
  (more, earlier) => {
    const warm = warmFor(deps, profile);
    const command = commandOf(deps, profile, brief, more);
    const waiting = warm?.take(command, earlier, placeOf(brief)) ?? null;
    if (waiting !== null) return { ...waiting, start: async (listener) => waiting.start(listener) };
    return {
      start: async (listener) => {
        const launch = await launching(deps, profile, command);
        return warm === undefined ? launch(listener) : warm.launch(command, listener, launch);
      },
    };
  };

/** Starts as many agents as are missing, as the expected work would. */
const startAhead = (
  deps: AcpDeps,
  known: AgentProfile,
  { brief, count, until }: ExpectedWork,
  host: Pick<BackendHost, 'emit'>,
): void => {
  const profile = withOwnCli(known, deps, brief.workspace);
  const warm = warmFor(deps, profile);
  // Where our tools are named in its environment, it cannot start before them.
  if (warm === undefined || (profile.expandsHeaders && profile.sessionOptions === null)) return;
  const own = profile.sessionOptions === null ? slotVariable(brief) : {};
  const command = commandOf(deps, profile, brief, own);
  const work = {
    open: (link: Promise<AgentLink>) => openAhead(link, { profile, brief, tools: deps.tools ?? null }),
    place: placeOf(brief),
    startsEach: profile.sessionOptions !== null,
    until,
  };
  for (let number = warm.missing(command, count, work); number > 0; number -= 1) {
    const marker = `${command.marker}-ahead-${profile.name}-${number}`;
    host.emit({ type: 'agent.launched', program: programOf(profile), marker, ahead: true });
    void launching(deps, profile, { ...command, marker }).then((launch) => {
      if (!until.aborted) warm.ahead({ ...command, marker }, work, launch);
    });
  }
};

const warmFor = ({ warm }: AcpDeps, { manySessions }: AgentProfile): WarmAgents | undefined =>
  manySessions ? warm : undefined;

const commandOf = (
  deps: AcpDeps,
  profile: AgentProfile,
  brief: Brief,
  more: Readonly<Record<string, string>>,
): AgentCommand => ({
  command: profile.command,
  cwd: warmFor(deps, profile) === undefined ? brief.workspace : startDirectory(deps.disk, profile, brief),
  env: { ...environmentOf(deps, profile, brief), ...more },
  marker: markerOf(brief),
});

type AgentCommand = Omit<SpawnCommand, 'talk'>;

/** Loads with the first agent: the SDK is large, and most commands start no agent. */
const launching = async (
  { spawn, clock, version }: AcpDeps,
  profile: AgentProfile,
  command: AgentCommand,
): Promise<(hears: LinkListener) => StartedAgent> => {
  const { connect } = await import('./connect.io.ts');
  return (listener) => connect({ spawn, clock, profile, version, command, listener });
};

/** Whether a message can join a reply of this agent. */
const hears = ({ steers, secondPrompt, pullsWith }: AgentProfile): boolean =>
  steers || secondPrompt === 'injects' || pullsWith !== null;

const environmentOf = (deps: AcpDeps, profile: AgentProfile, brief: Brief): Record<string, string> => ({
  ...childEnvironment(deps.env, agentVariables(profile, deps.env)),
  RALPH_SESSION: brief.session,
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
