import { join } from 'node:path';
import { commandAgentSchema } from '../agents/backends/command/create-command-backend.ts';
import type { Settings } from '../session/settings.ts';

/** A program of the configuration that is an agent (`agents.<name>`), and which roles are its own. */
export interface KnownAgent {
  readonly name: string;
  /** What is started, without its arguments. */
  readonly program: string;
  readonly roles: readonly string[];
}

/** Beside `script`, which is always there. */
export const knownAgents = ({ agents, roles }: Pick<Settings, 'agents' | 'roles'>): readonly KnownAgent[] =>
  Object.entries(agents).flatMap(([name, entry]) => {
    const agent = commandAgentSchema.safeParse(entry);
    const [program] = agent.success ? agent.data.command : [];
    if (program === undefined || name === 'script') return [];
    const own = Object.entries(roles).flatMap(([role, whose]) => (whose === name ? [role] : []));
    return [{ name, program, roles: own }];
  });

/** Roles that are given to an agent nobody knows, `executor: own`. */
export const unknownRoles = (settings: Pick<Settings, 'agents' | 'roles'>): readonly string[] => {
  const names = new Set(['script', ...knownAgents(settings).map(({ name }) => name)]);
  return Object.entries(settings.roles).flatMap(([role, name]) =>
    names.has(name) ? [] : [`${role}: ${name}`],
  );
};

/** Where a program lies: a name without a slash is looked for on the PATH, any other stands from the workspace on; `null` where it is not there. */
export const findProgram = (
  program: string,
  workspace: string,
  path: string | undefined,
  isThere: (file: string) => boolean,
): string | null => {
  const places = program.includes('/')
    ? [program.startsWith('/') ? program : join(workspace, program)]
    : (path ?? '').split(':').map((folder) => join(folder, program));
  return places.find(isThere) ?? null;
};
