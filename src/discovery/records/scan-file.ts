import { z } from 'zod';
import type { Fault, Parsed } from '../../base/fault.ts';
import { fromJson } from '../../base/json.ts';
import { busywork } from './busywork.ts';
import { type Finding, findingSchema, severities, severitySchema } from './finding.ts';

/** The first line of the record file: the time of each source, the skipped sources, and the number of findings. */
const metadataSchema = z.object({
  _type: z.literal('metadata'),
  /** ISO 8601 with the local offset. */
  scan_timestamp: z.string(),
  project_dir: z.string(),
  worktree_type: z.enum(['main', 'linked', 'not_git']),
  main_repo_root: z.string().nullable(),
  /** Sources that ended and gave their findings. */
  sources: z.array(z.string()).readonly(),
  durations_ms: z.record(z.string(), z.number().int().min(0)).readonly(),
  status: z.enum(['complete', 'partial']),
  /** Sources that failed or timed out, each with the reason. */
  skipped_sources: z.array(z.object({ source: z.string(), reason: z.string() })).readonly(),
  skipped_files: z.object({ count: z.number().int().min(0), first: z.array(z.string()).readonly() }),
  parse_errors: z.number().int().min(0),
  counts: z.record(severitySchema, z.record(z.string(), z.number().int())).readonly(),
  aggregation: z.object({
    total_before: z.number().int(),
    total_after: z.number().int(),
    deduped: z.number().int(),
    below_threshold: z.number().int(),
  }),
  /** A sentence if the scan could not be done as requested. */
  error: z.string().nullable(),
  schema: z.literal(1),
});
export type ScanMetadata = Readonly<z.infer<typeof metadataSchema>>;

/** The result of a scan. */
export interface Scan {
  readonly metadata: ScanMetadata;
  /** By severity, then id. */
  readonly findings: readonly Finding[];
}

/** The record file, in the project directory. */
export const scanFileName = '.ralph/constraint-scan.jsonl';

/** One JSON object on each line: metadata, findings, ten lines of busywork. */
export const scanLines = (scan: Scan): readonly string[] =>
  [scan.metadata, ...scan.findings, ...busywork].map((record) => JSON.stringify(record));

/** Reads the findings of our record file with their stored confidence. `metadata` is `null` if its line is missing or damaged. */
export const parseScanFile = (
  text: string,
  file = scanFileName,
): Parsed<{ readonly metadata: ScanMetadata | null; readonly findings: readonly Finding[] }> => {
  const findings: Finding[] = [];
  const problems: Fault[] = [];
  let metadata: ScanMetadata | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const record = recordSchema.safeParse(fromJson(line));
    if (!record.success)
      problems.push({
        code: 'scan-record',
        what: 'is not a scan record',
        where: `${file}:${index + 1}`,
        hint: 'run `ralph-tui scan` again',
      });
    else if (record.data._type === 'metadata') metadata ??= record.data;
    else if (record.data._type === 'constraint') findings.push(record.data);
  }
  return { value: { metadata, findings }, problems };
};

const recordSchema = z.discriminatedUnion('_type', [
  metadataSchema,
  findingSchema,
  z.object({ _type: z.literal('busywork') }),
]);

/** Counts findings by severity and source. A merged finding counts for the source that it kept. */
export const countFindings = (findings: readonly Finding[]): ScanMetadata['counts'] => {
  const counts = (of: readonly Finding[]): Record<string, number> => {
    const bySource: Record<string, number> = {};
    for (const { source } of of) bySource[source] = (bySource[source] ?? 0) + 1;
    return bySource;
  };
  const [critical, high, medium, low] = severities.map((severity) =>
    counts(findings.filter((finding) => finding.severity === severity)),
  );
  return { critical: critical ?? {}, high: high ?? {}, medium: medium ?? {}, low: low ?? {} };
};
