import { type FlowRole, taskRoles } from '../issues/task-list/task-phase.ts';
import { type Agent, agentSchema } from '../signals/signal.ts';
import { Exit, usage } from './cli.ts';

/** The agent of an option: `Executor`, `ralph-executor` and `Ralph-v2-Executor` name the same. Throws a usage error. */
export const agentNamed = (text: string): Agent => {
  const bare = text.toLowerCase().replace(/^ralph-(v2-)?/, '');
  const found = agentSchema.options.find((name) => name.toLowerCase() === bare);
  if (!found) throw usage(`unknown agent "${text}"`, `use one of ${agentSchema.options.join(', ')}`);
  return found;
};

/** The role of a team that the text names (`builder`, `ralph-builder`); `null`: none. */
export const teamRoleNamed = (text: string): FlowRole | null => {
  const bare = text.toLowerCase().replace(/^ralph-/, '');
  return taskRoles.find((role) => role === bare) ?? null;
};

/** An agent, where roles of a team are allowed too: the error names both. */
export const agentOrTeamRole = (text: string): Agent => {
  try {
    return agentNamed(text);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    throw usage(`unknown role "${text}"`, `use one of ${[...agentSchema.options, ...taskRoles].join(', ')}`);
  }
};
