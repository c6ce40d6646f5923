import { withinMs } from '../../../base/after-awake.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Reach } from '../../agent-facts.ts';
import { commandText } from '../../command-text.ts';
import type { BackendHost, Brief } from '../../port.ts';
import type { AgentProfile } from '../../profiles/profile.ts';
import { slotVariable } from '../slot-variable.ts';
import { chooseModeAndModel, type ModeAndModel } from './choose-mode-and-model.ts';
import { sessionMeta, sessionTitle } from './environment/session-meta.ts';
import { toolAccess } from './environment/tool-access.ts';
import type { AgentLink, LinkListener, OpenedSession, SessionRequest, ToolServer } from './link.ts';
import type { AheadSession, AheadTools } from './warm/ahead-session.ts';
import type { StartedAgent } from './warm/started-agent.ts';

/** A connected agent with its session open and in its asking mode. */
export interface LiveSession {
  readonly link: AgentLink;
  readonly id: string;
  readonly reach: Reach;
  /** The session is an older one: the agent knows the conversation so far. */
  readonly remembers: boolean;
  /** The mode that it has to stay in. `null`: none was chosen for it. */
  readonly keptMode: string | null;
  readonly setMode: (mode: string) => Promise<void>;
}

/** The agent with these variables beside its own: one that waits for such work, or one to start. Work that continues an earlier session gets only its own. */
export type ProgramFor = (
  env: Readonly<Record<string, string>>,
  earlier: string | null,
) => {
  /** Of the agent's processes, if another invocation started it. */
  readonly marker?: string;
  /** It has opened a session for such work. */
  readonly ahead?: AheadSession;
  start(listener: LinkListener): Promise<StartedAgent>;
};

interface StartPorts {
  readonly brief: Brief;
  readonly host: BackendHost;
  readonly clock: Clock;
  readonly profile: AgentProfile;
  readonly program: ProgramFor;
  /** Our tools for `session/new`, or those that its session has. Empty if the agent takes none. They open while the agent starts, unless it gets their token with its start. */
  readonly tools: (ahead: AheadTools | null) => Promise<readonly ToolServer[]>;
  /** Resolves when the agent has listed our tools. */
  readonly listed: () => Promise<void>;
  readonly withheld: readonly string[];
  /** Called as soon as the process exists. */
  readonly spawned: (started: StartedAgent) => void;
}

/** Starts the agent and opens its session: the earlier one if the profile says that this works, else a new one. Rejects with a `FaultError`. */
export const startSession = async (
  ports: StartPorts,
  listener: Omit<LinkListener, 'started'>,
  earlier: string | null,
): Promise<LiveSession> => {
  const { brief, host, profile, withheld } = ports;
  const early = profile.expandsHeaders && profile.sessionOptions === null ? ports.tools(null) : null;
  const program = ports.program(await processVariables(profile, brief, early), earlier);
  const { ahead } = program;
  const opening = early ?? ports.tools(ahead?.tools ?? null);
  // It is awaited once the agent has started, whose own fault says more.
  opening.catch(() => {});
  host.emit({
    type: 'agent.launched',
    program: programOf(profile),
    ...(program.marker === undefined ? {} : { marker: program.marker }),
    ...(withheld.length > 0 ? { withheld } : {}),
  });
  const started: LinkListener['started'] = ({ pid, startTime }) =>
    host.emit({ type: 'agent.process-started', pid, start_time: startTime });
  const agent = await program.start({ ...listener, started });
  ports.spawned(agent);
  const link = await agent.link;
  const method = earlier === null ? null : methodOf(profile, link);
  const tools = await opening;
  const { servers, env } = toolAccess(profile, tools);
  // What a session says that is not opened again reaches nobody.
  if (earlier !== null && method !== null) agent.warm?.reopens(earlier);
  const request = { cwd: brief.workspace, tools: servers, ...sessionMeta(profile, brief, env) };
  const ready = (await ahead?.opened.catch(() => null)) ?? null;
  const { opened, began } =
    earlier === null || method === null
      ? { opened: ready ?? (await link.open({ ...request, earlier: null })), began: 'new' as const }
      : await openAgain(host, link, request, { id: earlier, method });
  // The model would not know of tools that its agent lists after the prompt.
  if (profile.listsToolsLate && tools.length > 0 && link.about.takesHttpTools)
    await withinMs(ports.clock, listsWithinMs, ports.listed());
  const wanted = wantedOf(brief);
  const { mode, model, sentences, setMode } = await chooseModeAndModel(link, opened, profile, wanted);
  const keptMode = profile.askingMode === null && wanted.mode === null ? null : mode;
  for (const text of sentences) host.emit({ type: 'finding.noted', text });
  // A title is not worth a failed turn: without it the agent asks its model for one.
  if (began === 'new' && profile.takesTitle)
    await link.setTitle(opened.id, sessionTitle(brief)).catch(() => {});
  agent.warm?.opened();
  const reach = reachOf(profile, link, tools.length > 0);
  host.emit({
    type: 'agent.connected',
    label: profile.label,
    session: opened.id,
    began,
    reach,
    ...(link.about.version === null ? {} : { version: link.about.version }),
    ...(model === null ? {} : { model }),
    ...(mode === null ? {} : { mode }),
    ...(profile.resumeCommand === null
      ? {}
      : { resume_command: resumeCommandIn(brief.workspace, profile.resumeCommand, opened.id) }),
  });
  return { link, id: opened.id, reach, remembers: began !== 'new', keptMode, setMode };
};

/**
 * What differs by the work, in the environment of the process: nothing where the agent takes it with its session, so that the process may serve any. The
 * token of our tools is waited for only where the agent needs it here.
 */
const processVariables = async (
  profile: AgentProfile,
  brief: Brief,
  tools: Promise<readonly ToolServer[]> | null,
): Promise<Readonly<Record<string, string>>> => {
  if (profile.sessionOptions !== null) return {};
  return { ...slotVariable(brief), ...(tools === null ? {} : toolAccess(profile, await tools).env) };
};

/** Agents find a session by the directory in which it began. */
const resumeCommandIn = (directory: string, command: string, session: string): string =>
  `${commandText({ cmd: ['cd', directory] })} && ${command.replace('{session}', session)}`;

/** Qwen Code needed up to 6 s in trials. Without the list an agent works as well, only without our tools. */
const listsWithinMs = 20_000;

/** The command, and the program of the vendor that it uses. */
export const programOf = ({ command, ownCli, env }: AgentProfile): string => {
  const own = ownCli === null ? undefined : env[ownCli.variable];
  return [...command, ...(own ? [`(${ownCli?.variable}=${own})`] : [])].join(' ');
};

const methodOf = ({ resume }: AgentProfile, { about }: AgentLink): 'load' | 'resume' | null => {
  if (resume === 'load' && about.canLoad) return 'load';
  return resume === 'resume' && about.canResume ? 'resume' : null;
};

/** Opens the earlier session. If the agent forgot it, opens a new one, which then gets a summary of the work. */
const openAgain = async (
  host: BackendHost,
  link: AgentLink,
  request: Omit<SessionRequest, 'earlier'>,
  earlier: { readonly id: string; readonly method: 'load' | 'resume' },
): Promise<{ readonly opened: OpenedSession; readonly began: 'new' | 'loaded' | 'resumed' }> => {
  try {
    const opened = await link.open({ ...request, earlier });
    return { opened, began: earlier.method === 'load' ? 'loaded' : 'resumed' };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    host.emit({ type: 'finding.noted', text: `a new session instead of the earlier one: ${why}` });
    return { opened: await link.open({ ...request, earlier: null }), began: 'new' };
  }
};

const reachOf = (
  { steering, secondPrompt, pullsWith }: AgentProfile,
  { about }: AgentLink,
  hasTools: boolean,
): Reach => {
  if (about.steers) return steering === 'cuts' ? 'cutting-steering' : 'steering';
  if (secondPrompt === 'injects') return 'second-prompt';
  if (pullsWith !== null) return 'pull';
  return hasTools && about.takesHttpTools ? 'tool-result' : 'turn-end';
};

/** The mode and model that the settings name for the brief's role. */
const wantedOf = ({ role, settings }: Brief): ModeAndModel => ({
  mode: valueFor(role, settings.modes),
  model: valueFor(role, settings.models),
});

const valueFor = (role: Brief['role'], values: Readonly<Record<string, string | undefined>>): string | null =>
  values[role.toLowerCase()] ?? null;
