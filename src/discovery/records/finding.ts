import { z } from 'zod';
import { sha256 } from '../../base/hash.io.ts';

/** The most severe first, as in lists, bars and the record file. */
export const severities = ['critical', 'high', 'medium', 'low'] as const;
export const severitySchema = z.enum(severities);
export type Severity = z.infer<typeof severitySchema>;

/** 0 is the most severe. */
export const severityRank = (severity: Severity): number => severities.indexOf(severity);

/** The more severe of two. */
export const worse = (a: Severity, b: Severity): Severity => (severityRank(a) <= severityRank(b) ? a : b);

const line = z.number().int().min(1);

/** A place in the workspace. `file` is relative to the project directory, with `/`. */
const locationSchema = z.object({ file: z.string(), line: line.nullable() });
export type Location = Readonly<z.infer<typeof locationSchema>>;

/** The most places in a record. `occurrences` counts all. */
export const mostLocations = 20;

/**
 * One finding of any source, as `.ralph/constraint-scan.jsonl` stores it (src/discovery/README.md, Records). Keys are written in this order. `confidence` (0 to
 * 1) is computed once, when the source is read.
 */
export const findingSchema = z.object({
  _type: z.literal('constraint'),
  id: z.string().min(1),
  severity: severitySchema,
  category: z.string().min(1),
  description: z.string(),
  file: z.string().nullable(),
  line: line.nullable(),
  value: z.string().nullable(),
  occurrences: z.number().int().min(1),
  locations: z.array(locationSchema).max(mostLocations).readonly(),
  recommendation: z.string(),
  resolution_steps: z.array(z.string()).readonly(),
  tags: z.array(z.string()).readonly(),
  affected_scope: z.string().nullable(),
  source: z.string().min(1),
  confidence: z.number().min(0).max(1),
  merged_with: z.array(z.string()).readonly(),
  conflicts_with: z.array(z.string()).readonly(),
  linked_from: z.string().nullable(),
  invalid_severity: z.literal(true).optional(),
});
export type Finding = Readonly<z.infer<typeof findingSchema>>;

/**
 * The id of a finding: `<rule>-<8 hex digits>` of its key. The key never contains a line number, so that an id survives edits elsewhere in the file.
 */
export const findingId = (rule: string, ...key: readonly string[]): string =>
  `${rule}-${sha256([rule, ...key].join('\0')).slice(0, 8)}`;

/** The most severe first, then by id. */
export const bySeverityAndId = (a: Finding, b: Finding): number =>
  severityRank(a.severity) - severityRank(b.severity) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** The category of a source that did not end in time. */
export const sourceTimeout = 'source_timeout';
