import { z } from 'zod';
import { acpProfiles } from '../../agents/backends/acp/acp-profiles.ts';
import { type AgentProfile, acpAgentSchema } from '../../agents/backends/acp/profile.ts';
import { commandAgentSchema } from '../../agents/backends/command/create-command-backend.ts';
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
  }));
  const commands = Object.entries(agents).flatMap(([name, entry]) => {
    const agent = commandAgentSchema.safeParse(entry);
    const [program] = agent.success ? agent.data.command : [];
    return program === undefined || name === 'script'
      ? []
      : [{ name, program, roles: ownRoles(name), profile: null }];
  });
  return [...speaking, ...commands];
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
    hint: 'an agent looks like {type: acp, command: [program, argument]}',
  };
};
