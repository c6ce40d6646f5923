import { z } from 'zod';
import { setting } from './setting.ts';

/** Records of the program itself, beside the journal. */
export const observabilitySettings = [
  setting({
    key: 'observability.debug',
    schema: z.boolean(),
    default: false,
    unit: null,
    live: false,
    widens: 'never',
    sentence:
      'Writes a debug log of tool calls, trackers and agents, without secrets. RALPH_DEBUG=true does the same, and also covers hooks.',
  }),
  setting({
    key: 'observability.dir',
    schema: z.string().min(1).max(4_096).nullable(),
    default: null,
    unit: null,
    live: false,
    widens: { unless: [null] },
    sentence: "Folder for debug logs. By default they are in this program's state directory.",
  }),
  setting({
    key: 'observability.otlp',
    schema: z.url({ protocol: /^https?$/ }).nullable(),
    default: null,
    unit: null,
    live: false,
    widens: { unless: [null] },
    sentence:
      'Address of an OpenTelemetry collector (OTLP over HTTP) that receives a trace of each session: times, names and counts, but no text from agents.',
  }),
] as const;
