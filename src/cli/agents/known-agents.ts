import { z } from 'zod';
import {
  type CommandAgent,
  commandAgentSchema,
} from '../../agents/backends/command/create-command-backend.ts';
import { outputProfiles } from '../../agents/backends/command/output/index.ts';
import { fallbackOf, fallbacksOf } from '../../agents/fallback.ts';
import { acpProfiles } from '../../agents/profiles/acp-profiles.ts';
import { profiles } from '../../agents/profiles/index.ts';
import { type AgentProfile, acpAgentSchema } from '../../agents/profiles/profile.ts';
import type { Fault } from '../../base/fault.ts';
import type { Settings } from '../../session/settings.ts';

/** An agent this program can start, with its roles. */
export interface KnownAgent {
  readonly name: string;
  /** The started program, without its arguments. */
  readonly program: string;
  readonly roles: readonly string[];
  /** How to install an ACP agent and log in; `null` for programs that take a prompt. */
  readonly profile: AgentProfile | null;
  /** The profile whose adapter would do more than the program itself, which only takes a prompt; `null` for all others. */
  readonly adapter: AgentProfile | null;
  /** The limits that cannot hold it, because it never reports what they count. */
  readonly uncounted: readonly ('max_cost' | 'max_tokens')[];
}

/** All agents except `script`, which always exists: those with a profile of ours, then those of the configuration. */
export const knownAgents = ({ agents, roles }: Pick<Settings, 'agents' | 'roles'>): readonly KnownAgent[] => {
  const ownRoles = (name: string): readonly string[] =>
    Object.entries(roles).flatMap(([role, whose]) => (whose === name ? [role] : []));
  const speaking = acpProfiles(agents).map((profile) => ({
    name: profile.name,
    program: profile.command[0] ?? '',
    roles: ownRoles(profile.name),
    profile,
    adapter: null,
    uncounted: profile.reportsCost ? [] : (['max_cost'] as const),
  }));
  const commands = Object.entries(agents).flatMap(([name, entry]) => {
    const agent = commandAgentSchema.safeParse(entry);
    const [program] = agent.success ? agent.data.command : [];
    if (!agent.success || program === undefined || name === 'script') return [];
    const adapter = profiles.find(
      (each) => each.name === name && each.printMode?.output === agent.data.output,
    );
    return [
      {
        name,
        program,
        roles: ownRoles(name),
        profile: null,
        adapter: adapter ?? null,
        uncounted: uncountedIn(agent.data),
      },
    ];
  });
  return [...speaking, ...commands];
};

const uncountedIn = ({ output }: CommandAgent): KnownAgent['uncounted'] => {
  if (output === 'text') return ['max_cost', 'max_tokens'];
  return outputProfiles[output].reportsCost ? [] : ['max_cost'];
};

/** Names of the agents with a role or a task of their own, and of those that may take over for them when a quota is used up. */
export const usedAgents = (
  { agents, roles }: Pick<Settings, 'agents' | 'roles'>,
  tasks: readonly { readonly agent?: string | undefined }[] = [],
): ReadonlySet<string> => {
  const named = [...Object.values(roles), ...tasks.flatMap(({ agent }) => agent ?? [])];
  return new Set(named.flatMap((name) => [name, ...fallbacksOf(agents, name)]));
};

/** Roles whose agent is unknown, as in `executor: own`. */
export const unknownRoles = (settings: Pick<Settings, 'agents' | 'roles'>): readonly string[] => {
  const names = new Set(['script', ...knownAgents(settings).map(({ name }) => name)]);
  return Object.entries(settings.roles).flatMap(([role, name]) =>
    names.has(name) ? [] : [`${role}: ${name}`],
  );
};

/** The first problem of an entry `agents.<name>`; `null` for a valid or missing one. */
export const agentProblem = (name: string, entry: unknown): Fault | null => {
  if (entry === undefined) return null;
  const schemas = { acp: acpAgentSchema, command: commandAgentSchema };
  const type = z.object({ type: z.enum(['acp', 'command']) }).safeParse(entry);
  const checked = type.success ? schemas[type.data.type].safeParse(entry) : type;
  const [issue] = checked.success ? [] : checked.error.issues;
  if (issue === undefined) return null;
  const key = ['agents', name, ...issue.path].join('.');
  return {
    code: 'wrong-agent',
    what: `${key}: ${issue.message}`,
    hint: 'write an agent as {type: acp, command: [program, argument]}',
  };
};

/** The fault of `agents.<name>.fallback`: it must be another agent that is known. */
export const fallbackProblem = (name: string, settings: Pick<Settings, 'agents' | 'roles'>): Fault | null => {
  const fallback = fallbackOf(settings.agents, name);
  const known = knownAgents(settings)
    .map((agent) => agent.name)
    .filter((other) => other !== name);
  if (fallback === undefined || known.includes(fallback)) return null;
  return {
    code: 'unknown-fallback',
    what: `agents.${name}.fallback must name another agent, not "${fallback}"`,
    hint: `name one of these: ${known.join(', ')}`,
  };
};
