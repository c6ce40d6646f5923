import { z } from 'zod';
import { setting } from './setting.ts';

/** The host of a session, and its handling of signals. */
export const hostingSettings = [
  setting({
    key: 'signals.poll_interval',
    schema: z.number().int().min(50),
    default: 1_000,
    unit: 'ms',
    live: false,
    widens: 'never',
    sentence:
      'How often the mailbox and the progress list are read. Changes that the system reports are read immediately.',
  }),
  setting({
    key: 'signals.unproven',
    schema: z.enum(['ask', 'accept']),
    default: 'ask',
    unit: null,
    live: false,
    widens: { unless: ['ask'] },
    sentence:
      'What happens to signal files that contain a decision but have no known author: ask a person, or accept them (for scripts that write files without this program).',
  }),
  setting({
    key: 'serve.url',
    schema: z.url({ protocol: /^https?$/ }).nullable(),
    default: null,
    unit: null,
    live: false,
    widens: { unless: [null] },
    sentence:
      'The one further address by which browsers reach `ralph-tui serve`, such as https://desk.tail1234.ts.net.',
  }),
  setting({
    key: 'notify.command',
    schema: z.array(z.string().min(1)).readonly(),
    default: [],
    unit: null,
    live: false,
    widens: { unless: [[]] },
    sentence:
      'The command that a running `ralph-tui serve` starts when something waits for you, such as [curl, -d, @-, https://ntfy.sh/NAME]. It gets one line of JSON on its input.',
  }),
  setting({
    key: 'notify.after',
    schema: z.number().int().min(0),
    default: 30_000,
    unit: 'ms',
    live: false,
    widens: 'never',
    sentence:
      'How long something waits for you, while no page shows the session, before a running `ralph-tui serve` sends a notice.',
  }),
  setting({
    key: 'notify.content',
    schema: z.boolean(),
    default: false,
    unit: null,
    live: false,
    widens: { unless: [false] },
    sentence: 'Whether a notice contains the goal and the question, or only says that something waits.',
  }),
  setting({
    key: 'host',
    schema: z.enum(['process', 'background']),
    default: 'process',
    unit: null,
    live: false,
    widens: { unless: ['process'] },
    sentence:
      'Runs a session in the process of its screen, or in a background process that screens attach to.',
  }),
  setting({
    key: 'on_disconnect',
    schema: z.enum(['pause', 'abort', 'background']),
    default: 'pause',
    unit: null,
    live: false,
    widens: { unless: ['pause', 'abort'] },
    sentence: 'What happens to a session when its terminal is closed: pause, abort or background.',
  }),
] as const;
