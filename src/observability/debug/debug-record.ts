import { z } from 'zod';

/** What one record of a debug log is about. */
const debugCategories = ['tool', 'tracker', 'hook', 'agent'] as const;
type DebugCategory = (typeof debugCategories)[number];

/** The first line of a log: which program wrote it, and where. */
const debugHeaderSchema = z.object({
  type: z.literal('session'),
  ts: z.string(),
  /** The name of the log without its ending. */
  log: z.string(),
  /** The session of a host; `null` for other commands. */
  session: z.string().nullable(),
  versions: z.record(z.string(), z.string()),
  platform: z.string(),
  /** Names of variables, with the values that hold no secret and no text of a person. */
  environment: z.record(z.string(), z.string()),
});
export type DebugHeader = z.infer<typeof debugHeaderSchema>;

/** One call. `ok: false` also for a call that returned an error instead of throwing it. */
const debugRecordSchema = z.object({
  type: z.enum(debugCategories),
  ts: z.string(),
  name: z.string(),
  event: z.string(),
  /** Without secrets. */
  params: z.record(z.string(), z.unknown()),
  duration_ms: z.number().nullable(),
  ok: z.boolean(),
  error: z.string().nullable(),
  error_type: z.string().nullable(),
  exit_code: z.number().nullable(),
  /** It was refused before it ran. */
  blocked: z.boolean(),
  /** A quota or rate limit ended it. */
  rate_limit: z.boolean(),
});
export type DebugRecord = z.infer<typeof debugRecordSchema>;

export const debugLineSchema = z.discriminatedUnion('type', [debugHeaderSchema, debugRecordSchema]);

/** A call that went well, for makers of records to change. */
export const plainRecord = (type: DebugCategory, name: string, event: string): Omit<DebugRecord, 'ts'> => ({
  type,
  name,
  event,
  params: {},
  duration_ms: null,
  ok: true,
  error: null,
  error_type: null,
  exit_code: null,
  blocked: false,
  rate_limit: false,
});
