import { z } from 'zod';
import { durationSchema } from '../../tasks/duration.ts';
import { setting } from './setting.ts';

/** Build outputs that no repository writes by hand. */
export const defaultStructure: readonly string[] = [
  '/node_modules/',
  '.pyc',
  '/.next/',
  '/.nuxt/',
  '/.gradle/',
  '/target/debug/',
  '/target/release/',
  '/bower_components/',
  '/.venv/',
  '/site-packages/',
  '.egg-info/',
  '.dSYM/',
];

/** The checks of a workspace before agents run (src/discovery/README.md). A repository that turns off checks of itself needs trust. */
export const discoverySettings = [
  setting({
    key: 'discovery.enabled',
    schema: z.boolean(),
    default: true,
    unit: null,
    live: false,
    widens: { unless: [true] },
    sentence: 'Scans the workspace before model agents start.',
  }),
  setting({
    key: 'discovery.timeout',
    schema: z.number().int().min(100),
    default: 15_000,
    unit: 'ms',
    live: false,
    widens: 'never',
    sentence: 'Time limit for all sources together. A source that exceeds it is skipped.',
  }),
  setting({
    key: 'discovery.aggregate_similar',
    schema: z.boolean(),
    default: true,
    unit: null,
    live: false,
    widens: 'never',
    sentence: 'Merges findings that several sources report in nearly the same words.',
  }),
  setting({
    key: 'discovery.min_confidence_threshold',
    schema: z.number().min(0).max(1),
    default: 0.6,
    unit: null,
    live: false,
    widens: { unless: [0.6] },
    sentence: 'Explorer findings below this confidence are left out.',
  }),
  setting({
    key: 'discovery.structure',
    schema: z.array(z.string()).readonly(),
    default: defaultStructure,
    unit: null,
    live: false,
    widens: 'never',
    sentence: 'Path segments that mark committed build outputs.',
  }),
  setting({
    key: 'discovery.exclude',
    schema: z.array(z.string()).readonly(),
    default: [],
    unit: null,
    live: false,
    widens: { unless: [[]] },
    sentence: 'Globs for files that are not scanned.',
  }),
  setting({
    key: 'discovery.sources',
    schema: z
      .record(
        z.string(),
        z.strictObject({
          enabled: z.boolean().optional(),
          timeout: durationSchema.pipe(z.number().int().min(100)).optional(),
        }),
      )
      .readonly(),
    default: {},
    unit: null,
    live: false,
    widens: { unless: [{}] },
    sentence: 'Turns one source off, or gives it its own time limit: scanner: {enabled: true, timeout: 5s}.',
  }),
] as const;
