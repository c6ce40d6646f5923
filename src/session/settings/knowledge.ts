import { z } from 'zod';
import { setting } from './setting.ts';

/** The promotion and storage of a session's lessons. */
export const knowledgeSettings = [
  setting({
    key: 'knowledge.gate',
    schema: z.enum(['auto', 'always', 'never']),
    default: 'auto',
    unit: null,
    live: false,
    widens: 'never',
    sentence:
      'Whether a person is asked which lessons to keep. auto: only when a task passed and an agent with a model wrote a lesson. never: all lessons stay in the session.',
  }),
  setting({
    key: 'knowledge.approval_timeout',
    schema: z.number().int().min(0).nullable(),
    default: null,
    defaultsWhen: [
      { when: ({ background }) => background, words: 'started in the background', value: 24 * 60 * 60_000 },
      { when: ({ attended }) => !attended, words: 'without a screen', value: 0 },
    ],
    unit: 'ms',
    live: true,
    widens: 'never',
    sentence:
      'How long the knowledge gate waits for a person before the lessons go to the next iteration. 0s means not at all; none means forever: a session without a screen then stops and waits.',
  }),
  setting({
    key: 'knowledge.max_carry_iterations',
    schema: z.number().int().min(0),
    default: 2,
    unit: null,
    live: false,
    widens: 'never',
    sentence: 'How many iterations a lesson is carried forward without a decision before it is dropped.',
  }),
  setting({
    key: 'knowledge.docs_dir',
    schema: z.string(),
    default: '.docs',
    unit: null,
    live: false,
    widens: { unless: ['.docs'] },
    sentence: 'Folder in the workspace that approved lessons are written to.',
  }),
] as const;
