import { z } from 'zod';
import { setting } from './setting.ts';

/** A person's preferences for the screen. A screen reads them from the configuration of its own user. */
export const uiSettings = [
  setting({
    key: 'ui.theme',
    schema: z.string().min(1).max(4_096),
    default: 'auto',
    unit: null,
    live: false,
    widens: 'never',
    sentence:
      'Colours: dark, light, high-contrast, solarized, none, or a file with your own colours. auto asks the terminal for its background.',
  }),
  setting({
    key: 'ui.keys',
    schema: z.record(z.string(), z.string()).readonly(),
    default: {},
    unit: null,
    live: false,
    widens: { unless: [{}] },
    sentence:
      'Your own keys by command: {steer.pause: "P"}. `ralph-tui help keys` lists the names of commands.',
  }),
  setting({
    key: 'ui.ascii',
    schema: z.boolean(),
    default: false,
    unit: null,
    live: false,
    widens: 'never',
    sentence: 'Draws with plain ASCII characters.',
  }),
  setting({
    key: 'ui.motion',
    schema: z.boolean(),
    default: true,
    unit: null,
    live: false,
    widens: 'never',
    sentence: 'Animates the symbol of a task while its output is arriving. If false, only the clocks move.',
  }),
  setting({
    key: 'ui.mouse',
    schema: z.boolean(),
    default: true,
    unit: null,
    live: false,
    widens: 'never',
    sentence: 'Reacts to the mouse wheel and clicks. Hold Shift to select text in the terminal.',
  }),
  setting({
    key: 'ui.columns',
    schema: z.enum(['two', 'one']),
    default: 'two',
    unit: null,
    live: false,
    widens: 'never',
    sentence:
      'Shows changes with old and new lines side by side where there is room (two), or in one column (one).',
  }),
  setting({
    key: 'ui.notify',
    schema: z.enum(['bell', 'osc', 'none']),
    default: 'bell',
    unit: null,
    live: false,
    widens: { unless: ['bell', 'none'] },
    sentence: 'Notifies you when you are needed: by bell, by a terminal notification (osc), or not at all.',
  }),
] as const;
