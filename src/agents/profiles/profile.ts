import { z } from 'zod';
import type { permissionPresets } from '../../session/settings/permission-presets.ts';
import { ownAgentFields } from './own-agent.ts';

/** How the vendor's own program works without its adapter: one run with a prompt, whose stream the `command` backend reads. */
interface PrintMode {
  readonly output: 'claude' | 'codex';
  readonly args: readonly string[];
  /** It cannot ask, so its own flags say what it may do. They follow `args`. */
  readonly allows: Readonly<Record<(typeof permissionPresets)[number], readonly string[]>>;
}

/** Everything known about one agent, as data: how it starts, what it may see, how it differs (src/agents/README.md, Dependencies and profiles). */
export interface AgentProfile {
  /** The name for `--agent` and `roles:`. */
  readonly name: string;
  readonly label: string;
  /** The program (a path or a name on the PATH) and its arguments. */
  readonly command: readonly string[];
  /** How to install the program: the pinned package and its installed size. `null` if only the user knows. */
  readonly install: { readonly command: string; readonly megabytes: number } | null;
  /** Variables passed to the agent beside those that every child gets (`childEnvironment`): names, or `NAME_*`. */
  readonly passEnv: readonly string[];
  /** Variables passed as well where another one is set: `CLAUDE_CODE_USE_BEDROCK: ['AWS_*']`. */
  readonly passWith: Readonly<Record<string, readonly string[]>>;
  /** Variables set unless this program's own environment has them. */
  readonly envDefaults: Readonly<Record<string, string>>;
  /** Variables set to fixed values. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables that hold JSON: our values, below those of the user's own variable of that name. */
  readonly jsonEnv: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The vendor's own program, and the variable that makes the adapter use it instead of the one that it brings. `null`: there is no such choice. */
  readonly ownCli: { readonly program: string; readonly variable: string } | null;
  /** What `ownCli` can do without the adapter. `null`: nothing that is known. */
  readonly printMode: PrintMode | null;
  /** The mode in which the agent asks before it changes something. `null`: it has no modes. */
  readonly askingMode: string | null;
  /** The effect of a second prompt while one runs. */
  readonly secondPrompt: 'cancels' | 'injects' | 'unknown';
  /** It was seen to have the steering extension. */
  readonly steers: boolean;
  /** The effect of its steering extension on the current reply, where it has one. `cuts`: only an order is worth that, an INFO is not. */
  readonly steering: 'joins' | 'cuts';
  /** The request by which it asks its client for messages while it works. Answered with `{messages: […]}`. `null`: it asks for none. */
  readonly pullsWith: string | null;
  /** It expands `${NAME}` in the headers of MCP servers, and puts them into its arguments otherwise. */
  readonly expandsHeaders: boolean;
  /** It opens its session before it has listed our tools, and tells the model of them only when it has. */
  readonly listsToolsLate: boolean;
  /**
   * After a cancelled reply it still knows the prompt and what it did for it. Else the next prompt says it again: an agent that forgets it would go
   * on without its task.
   */
  readonly keepsCancelled: boolean;
  /**
   * How a permission request of it names one of our tools, `{tool}` standing for the tool: by the tool's name, or by the beginning of the call's id
   * and its title. `null`: it asks for none of them, or this is not known.
   */
  readonly ownTool: { readonly name: string } | { readonly id: string; readonly title: string } | null;
  /** The title of a command is the whole command. Else a request without the command in its input shows only a part. */
  readonly titleIsCommand: boolean;
  /** The method that was seen to reopen the agent's own session after a restart. */
  readonly resume: 'load' | 'resume' | 'none';
  /**
   * The request of its own that closes a session, where it lacks that of the protocol. A session that stays open keeps our tools of its beginning, also
   * when it is loaded again. `null`: it has none.
   */
  readonly closesWith: string | null;
  /** It takes a title for a session (`session/set_title`, unstable), and asks its model for one otherwise. */
  readonly takesTitle: boolean;
  /** Several sessions of one process, one after another and each in a directory of its own, were seen to work: the process may wait for the next work. */
  readonly manySessions: boolean;
  /** What it reads of a repository only when its process starts. Where one of these exists, the process starts in that tree and serves no other. */
  readonly readsAtStart: readonly string[];
  /** The key of `_meta` in `session/new` below which it takes `options` with variables and a title of the session. `null`: it takes none there. */
  readonly sessionOptions: string | null;
  /** The vendor's command that opens the session outside this program. `{session}` stands for its id. `null` if there is none. */
  readonly resumeCommand: string | null;
  /** The vendor's login command. `null`: none is known, or none is needed. */
  readonly login: string | null;
  /** The whole reply by which it says, instead of its model, that its login is missing. */
  readonly lacksLogin: RegExp | null;
  /** Paths, relative to the repository, that the agent loads on its own. The user sees and trusts them before the first start. */
  readonly loads: readonly string[];
  /** Whether it reports what its session costs. Else `limits.max_cost` cannot hold it. */
  readonly reportsCost: boolean;
  /** What the agent does unasked, in words for the details of a task and the README. `null` if it asks for everything we could refuse. */
  readonly unenforced: string | null;
}

/** A user-defined agent: `agents.<name>` with `type: acp` (src/session/README.md, Configuration). */
export const acpAgentSchema = z.strictObject({
  type: z.literal('acp'),
  ...ownAgentFields,
  /** The built-in profile to change. */
  profile: z.string().min(1).optional(),
  /** argv without a shell. Required if no profile gives one. */
  command: z.array(z.string().min(1)).min(1).readonly().optional(),
  mode: z.string().min(1).optional(),
  login: z.string().min(1).optional(),
  /** Paths that the agent loads from the repository on its own. */
  loads: z.array(z.string()).readonly().optional(),
  /** Says that it reports its cost, so that `limits.max_cost` may be used with it. */
  reports_cost: z.boolean().optional(),
});
type AcpAgent = z.infer<typeof acpAgentSchema>;

/** What is assumed of an agent that nobody tried: only the protocol. */
export const unknownAgent: Omit<AgentProfile, 'name' | 'label' | 'command'> = {
  install: null,
  passEnv: [],
  passWith: {},
  envDefaults: {},
  env: {},
  jsonEnv: {},
  ownCli: null,
  printMode: null,
  askingMode: null,
  secondPrompt: 'unknown',
  steers: false,
  steering: 'joins',
  pullsWith: null,
  expandsHeaders: false,
  listsToolsLate: false,
  keepsCancelled: false,
  ownTool: null,
  titleIsCommand: false,
  resume: 'none',
  closesWith: null,
  takesTitle: false,
  manySessions: false,
  readsAtStart: [],
  sessionOptions: null,
  resumeCommand: null,
  login: null,
  lacksLogin: null,
  loads: ['AGENTS.md', '.mcp.json'],
  reportsCost: false,
  unenforced: 'it is not known whether it asks before it acts',
};

/** The profile of a user-defined agent, or `null` if it has no command or names an unknown profile. */
export const profileOf = (
  name: string,
  agent: AcpAgent,
  profiles: readonly AgentProfile[],
): AgentProfile | null => {
  const base =
    agent.profile === undefined ? null : profiles.find((profile) => profile.name === agent.profile);
  const command = agent.command ?? base?.command;
  if (base === undefined || command === undefined) return null;
  const known = base ?? { ...unknownAgent, label: name };
  return {
    ...known,
    name,
    label: agent.label ?? known.label,
    command,
    install: agent.command === undefined ? known.install : null,
    passEnv: [...known.passEnv, ...agent.pass_env],
    env: { ...known.env, ...agent.env },
    askingMode: agent.mode ?? known.askingMode,
    login: agent.login ?? known.login,
    loads: agent.loads ?? known.loads,
    reportsCost: agent.reports_cost ?? known.reportsCost,
  };
};
