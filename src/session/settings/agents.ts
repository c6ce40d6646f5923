import { z } from 'zod';
import { setting } from './setting.ts';

/** A text for some of the roles. A misspelt role is an error. */
const byRole = z
  .partialRecord(z.enum(['planner', 'questioner', 'executor', 'reviewer', 'librarian']), z.string().min(1))
  .readonly();

/** The agents and their roles. */
export const agentSettings = [
  setting({
    key: 'agents',
    schema: z.record(z.string(), z.unknown()).readonly(),
    default: {},
    unit: null,
    live: false,
    widens: { unless: [{}] },
    sentence: 'Agents other than script, by name, each with the command that starts it.',
  }),
  setting({
    key: 'roles',
    schema: z.record(z.string(), z.string()).readonly(),
    default: {},
    unit: null,
    live: false,
    widens: { unless: [{}] },
    sentence:
      'Agents by role: {executor: NAME}. A role that is not listed uses script; but the work on an issue is reviewed by the Executor where no Reviewer is named.',
  }),
  setting({
    key: 'models',
    schema: byRole,
    default: {},
    unit: null,
    live: false,
    widens: { unless: [{}] },
    sentence:
      'Models by role, as the agent names them: {planner: NAME}. Without an entry, the agent chooses.',
  }),
  setting({
    key: 'modes',
    schema: byRole,
    default: {},
    unit: null,
    live: false,
    widens: { unless: [{}] },
    sentence:
      'Agent modes by role: {planner: plan}. Without an entry, an agent runs in the mode in which it asks before it acts.',
  }),
] as const;
