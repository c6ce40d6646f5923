import { z } from 'zod';
import { setting } from './setting.ts';

/** The agents and their roles. */
export const agentSettings = [
  setting({
    key: 'agents',
    schema: z.record(z.string(), z.unknown()).readonly(),
    default: {},
    unit: null,
    live: false,
    widens: { unless: [{}] },
    sentence: 'Agents beside script, by name, each with the command that starts it.',
  }),
  setting({
    key: 'roles',
    schema: z.record(z.string(), z.string()).readonly(),
    default: {},
    unit: null,
    live: false,
    widens: { unless: [{}] },
    sentence: 'Agents by role: {executor: NAME}. A role that is not named uses script.',
  }),
] as const;
