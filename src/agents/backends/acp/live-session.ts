import type { Child } from '../../../base/process/spawn.ts';
import type { Reach } from '../../agent-facts.ts';
import type { BackendHost, Brief } from '../../port.ts';
import { chooseModeAndModel, type ModeAndModel } from './choose-mode-and-model.ts';
import type { Connecting } from './connect.io.ts';
import type { AgentLink, LinkListener, OpenedSession, ToolServer } from './link.ts';
import type { AgentProfile } from './profile.ts';

/** A connected agent with its session open and in its asking mode. */
export interface LiveSession {
  readonly link: AgentLink;
  readonly id: string;
  readonly reach: Reach;
  /** The session is an older one: the agent knows the conversation so far. */
  readonly remembers: boolean;
}

export interface StartPorts {
  readonly brief: Brief;
  readonly host: BackendHost;
  readonly profile: AgentProfile;
  readonly connect: (listener: LinkListener) => Promise<Connecting>;
  /** Our tools for `session/new`. Empty if the agent takes none. */
  readonly tools: readonly ToolServer[];
  readonly withheld: readonly string[];
  /** Called as soon as the process exists. */
  readonly born: (child: Child) => void;
}

/** Starts the agent and opens its session: the earlier one if the profile says that this works, else a new one. Rejects with a `FaultError`. */
export const startSession = async (
  ports: StartPorts,
  listener: Omit<LinkListener, 'started'>,
  earlier: string | null,
): Promise<LiveSession> => {
  const { brief, host, profile } = ports;
  const { withheld } = ports;
  host.emit({
    type: 'agent.launched',
    program: programOf(profile),
    ...(withheld.length > 0 ? { withheld } : {}),
  });
  const { child, link: linking } = await ports.connect({
    ...listener,
    started: ({ pid, startTime }) => host.emit({ type: 'agent.process-started', pid, start_time: startTime }),
  });
  ports.born(child);
  const link = await linking;
  const method = earlier === null ? null : methodOf(profile, link);
  const wish = { cwd: brief.workspace, tools: ports.tools };
  const { opened, began } =
    earlier === null || method === null
      ? { opened: await link.open({ ...wish, earlier: null }), began: 'new' as const }
      : await openAgain(ports, link, { id: earlier, method });
  const { mode, model, sentences } = await chooseModeAndModel(link, opened, profile, wishOf(brief));
  for (const text of sentences) host.emit({ type: 'finding.noted', text });
  const reach = reachOf(profile, link, ports.tools.length > 0);
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
      : { resume_command: profile.resumeCommand.replace('{session}', opened.id) }),
  });
  return { link, id: opened.id, reach, remembers: began !== 'new' };
};

/** The command, and the program of the vendor that it uses. */
const programOf = ({ command, ownCli, env }: AgentProfile): string => {
  const own = ownCli === null ? undefined : env[ownCli.variable];
  return [...command, ...(own ? [`(${ownCli?.variable}=${own})`] : [])].join(' ');
};

const methodOf = ({ resume }: AgentProfile, { about }: AgentLink): 'load' | 'resume' | null => {
  if (resume === 'load' && about.canLoad) return 'load';
  return resume === 'resume' && about.canResume ? 'resume' : null;
};

/** Opens the earlier session. If the agent forgot it, opens a new one, which then gets a summary of the work. */
const openAgain = async (
  { brief, tools, host }: StartPorts,
  link: AgentLink,
  earlier: { readonly id: string; readonly method: 'load' | 'resume' },
): Promise<{ readonly opened: OpenedSession; readonly began: 'new' | 'loaded' | 'resumed' }> => {
  try {
    const opened = await link.open({ cwd: brief.workspace, tools, earlier });
    return { opened, began: earlier.method === 'load' ? 'loaded' : 'resumed' };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    host.emit({ type: 'finding.noted', text: `a new session instead of the earlier one: ${why}` });
    return { opened: await link.open({ cwd: brief.workspace, tools, earlier: null }), began: 'new' };
  }
};

const reachOf = ({ secondPrompt }: AgentProfile, { about }: AgentLink, hasTools: boolean): Reach => {
  if (about.steers) return 'steering';
  if (secondPrompt === 'injects') return 'second-prompt';
  return hasTools && about.takesHttpTools ? 'tool-result' : 'turn-end';
};

/** The mode and model that the settings name for the brief's role. */
const wishOf = ({ role, settings }: Brief): ModeAndModel => ({
  mode: valueFor(role, settings.modes),
  model: valueFor(role, settings.models),
});

const valueFor = (role: Brief['role'], values: Readonly<Record<string, string | undefined>>): string | null =>
  values[role.toLowerCase()] ?? null;
