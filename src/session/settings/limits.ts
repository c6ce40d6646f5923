import { z } from 'zod';
import { permissionPresets } from './permission-presets.ts';
import { setting } from './setting.ts';

/** The permissions and limits of agents. */
export const limitSettings = [
  setting({
    key: 'permissions',
    schema: z.enum(permissionPresets),
    default: 'ask',
    unit: null,
    live: false,
    widens: { unless: ['ask'] },
    sentence: 'What agents may do without asking: ask, edits, workspace or all.',
  }),
  setting({
    key: 'permissions.unattended',
    schema: z.enum(['wait', 'refuse']),
    default: 'wait',
    unit: null,
    live: false,
    widens: 'never',
    sentence:
      'What happens to a permission request while no screen shows the session (left running, or in the background): wait, or refuse. A headless run refuses.',
  }),
  setting({
    key: 'commit',
    schema: z.boolean(),
    default: false,
    unit: null,
    live: false,
    widens: { unless: [false] },
    sentence: 'Commits the files of a task to git when its review has passed.',
  }),
  setting({
    key: 'limits.max_duration',
    schema: z.number().int().positive().nullable(),
    default: null,
    unit: 'ms',
    live: true,
    widens: 'always',
    sentence: 'Maximum duration of a session. It then stops and can be resumed.',
  }),
  setting({
    key: 'limits.max_cost',
    schema: z.number().positive().nullable(),
    default: null,
    unit: 'USD',
    live: true,
    widens: 'always',
    sentence: 'Maximum cost of model agents before the session stops. Needs agents that report their cost.',
  }),
  setting({
    key: 'limits.max_tokens',
    schema: z.number().int().positive().nullable(),
    default: null,
    unit: null,
    live: true,
    widens: 'always',
    sentence: 'Maximum tokens used by model agents, in and out, before the session stops.',
  }),
  setting({
    key: 'limits.max_attempts_total',
    schema: z.number().int().positive().nullable(),
    default: null,
    unit: null,
    live: true,
    widens: 'always',
    sentence: 'Maximum attempts across all tasks before the session stops.',
  }),
] as const;
