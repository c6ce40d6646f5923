import { z } from 'zod';
import { setting } from './setting.ts';

/** The end of a loop, and the commands of the script agent in it (src/discovery/README.md, The loop). */
export const loopSettings = [
  setting({
    key: 'loop.max_runtime',
    schema: z.number().int().positive().nullable(),
    default: 9 * 3_600_000,
    unit: 'ms',
    live: true,
    widens: { unless: [9 * 3_600_000] },
    sentence: 'Maximum running time of a loop. It then stops and can be resumed.',
  }),
  setting({
    key: 'loop.max_turns',
    schema: z.number().int().positive().nullable(),
    default: 99,
    unit: null,
    live: true,
    widens: { unless: [99] },
    sentence: 'Maximum number of turns of a loop. It then stops and can be resumed.',
  }),
  setting({
    key: 'loop.min_turns',
    schema: z.number().int().min(0),
    default: 0,
    unit: null,
    live: false,
    widens: 'never',
    sentence: 'Minimum number of turns before a loop can end as complete.',
  }),
  setting({
    key: 'loop.threshold',
    schema: z.number().min(0).max(1),
    default: 0.7,
    unit: null,
    live: false,
    widens: 'never',
    sentence: 'Minimum confidence, from 0 to 1, for a sign of completion to count.',
  }),
  setting({
    key: 'loop.grace',
    schema: z.number().int().min(0),
    default: 30_000,
    unit: 'ms',
    live: true,
    widens: 'never',
    sentence: 'How long a running turn may continue when the loop drains, before it is stopped.',
  }),
  setting({
    key: 'loop.run',
    schema: z.array(z.string().min(1)).readonly(),
    default: [],
    unit: null,
    live: false,
    widens: { unless: [[]] },
    sentence: 'Commands that the script agent runs in each turn.',
  }),
  setting({
    key: 'loop.verify',
    schema: z.array(z.string().min(1)).readonly(),
    default: [],
    unit: null,
    live: false,
    widens: { unless: [[]] },
    sentence:
      'Commands that check the work. A loop ends as complete only when they pass; each implementation of an issue must pass them on its branch; the Planner of a session gets them for its tasks.',
  }),
] as const;
