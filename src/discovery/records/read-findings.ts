import { z } from 'zod';
import type { Parsed } from '../../base/fault.ts';
import { isRecord } from '../../base/json.ts';
import { pathProblem } from '../../tasks/relative-path.ts';
import { type Finding, findingId, type Location, mostLocations, severitySchema } from './finding.ts';
import { findObjects, strayLines } from './json-values.ts';

/** How to read the findings of a source. */
interface SourceReader {
  /** The source's name. A record may name its own (`source`, `agent_id`) only if `ownNames` is set. */
  readonly source: string;
  readonly ownNames?: boolean;
  /** A file of records, and not the words of an agent: prose in it is a record that cannot be read. */
  readonly onlyRecords?: boolean;
  /** The project directory, absolute. Absolute paths below it become relative. */
  readonly projectDir: string;
  /** Whether a file (relative path) exists. */
  readonly exists: (file: string) => boolean;
}

/** The findings of a text, and the number of unusable records. */
interface ReadFindings {
  readonly findings: readonly Finding[];
  readonly parseErrors: number;
}

/**
 * Reads findings from an explorer or another program (src/discovery/README.md, Records). Never fails, and counts unusable records. Confidence: 0.8 with an
 * existing file, 0.5 with a missing one, 0.4 without a place, times the record's own value, clamped.
 */
export const parseFindings = (text: string, reader: SourceReader): Parsed<ReadFindings> => {
  const { values, errors } = findObjects(text);
  const records = values.flatMap(unwrap).slice(0, mostFindings);
  const findings: Finding[] = [];
  let parseErrors = errors + (reader.onlyRecords === true ? strayLines(text) : 0);
  for (const record of records) {
    if (record['_type'] === 'metadata' || record['_type'] === 'busywork') continue;
    const finding = readFinding(record, reader);
    if (finding === null) parseErrors += 1;
    else findings.push(finding);
  }
  const problems =
    parseErrors === 0
      ? []
      : [
          {
            code: 'finding-record',
            what: `${parseErrors} ${parseErrors === 1 ? 'record is not a finding' : 'records are not findings'}`,
            where: reader.source,
            hint: 'write one JSON object per line with at least a description',
          },
        ];
  return { value: { findings, parseErrors }, problems };
};

/** A source with more findings is broken or hostile. */
const mostFindings = 1_000;

/** Replaces `{"constraints": […]}` with its members. */
const unwrap = (value: unknown): readonly Readonly<Record<string, unknown>>[] => {
  if (!isRecord(value)) return [];
  for (const key of ['constraints', 'findings', 'results']) {
    const inner = value[key];
    if (Array.isArray(inner) && value['description'] === undefined) return inner.filter(isRecord);
  }
  return [value];
};

const text = z.union([z.string(), z.number()]).transform(String);
const texts = z
  .union([z.array(text), z.string().transform((all) => all.split(',').map((each) => each.trim()))])
  .transform((all) => all.filter((each) => each !== ''));
const lineNumber = z.coerce.number().int().min(1);

/** The value of the first key that holds this form. */
const pick = <T>(
  record: Readonly<Record<string, unknown>>,
  schema: z.ZodType<T>,
  ...keys: string[]
): T | null => {
  for (const key of keys) {
    const found = record[key];
    if (found === undefined || found === null || found === '') continue;
    const checked = schema.safeParse(found);
    if (checked.success) return checked.data;
  }
  return null;
};

/** Longer texts are no sentences. A record of one megabyte must not become a line of the screen. */
const longest = 1_000;
const mostTexts = 20;

const clip = (value: string | null): string => (value ?? '').slice(0, longest);
const clipAll = (values: readonly string[] | null): readonly string[] =>
  (values ?? []).slice(0, mostTexts).map((each) => each.slice(0, longest));

const readFinding = (record: Readonly<Record<string, unknown>>, reader: SourceReader): Finding | null => {
  const recommendation = clip(pick(record, text, 'recommendation'));
  const description = clip(pick(record, text, 'description', 'message', 'title')) || recommendation;
  if (description === '') return null;
  const category = clip(pick(record, text, 'category')).toLowerCase() || 'other';
  const file = placeOf(pick(record, text, 'file', 'source_file', 'path'), reader);
  const line = pick(record, lineNumber, 'line', 'source_line');
  const value = pick(record, text, 'value')?.slice(0, longest) ?? null;
  const severity = severitySchema.safeParse(String(record['severity']).trim().toLowerCase());
  const locations = locationsOf(record['locations'], reader);
  const stated = pick(record, z.coerce.number(), 'confidence') ?? 1;
  return {
    _type: 'constraint',
    id:
      clip(pick(record, text, 'id', 'constraint_id')) ||
      findingId(category, file ?? '', value ?? description),
    severity: severity.success ? severity.data : 'medium',
    category,
    description,
    file,
    line,
    value,
    occurrences: pick(record, lineNumber, 'occurrences') ?? Math.max(1, locations.length),
    locations: locations.length > 0 || file === null ? locations : [{ file, line }],
    recommendation,
    resolution_steps: clipAll(pick(record, texts, 'resolution_steps')),
    tags: clipAll(pick(record, texts, 'tags')),
    affected_scope: pick(record, text, 'affected_scope')?.slice(0, longest) ?? null,
    source: sourceOf(record, reader),
    confidence: Math.round(baseConfidence(file, reader) * Math.min(1, Math.max(0, stated)) * 1_000) / 1_000,
    merged_with: [],
    conflicts_with: [],
    linked_from: placeOf(pick(record, text, 'linked_from'), reader),
    ...(severity.success ? {} : { invalid_severity: true as const }),
  };
};

const baseConfidence = (file: string | null, reader: SourceReader): number => {
  if (file === null) return 0.4;
  return reader.exists(file) ? 0.8 : 0.5;
};

/** Names of our own sources, which foreign records must not use. */
const reserved = /^(?:scanner|env-scanner|config-discovery|integration-points|explorer-.*)$/;

const sourceOf = (record: Readonly<Record<string, unknown>>, reader: SourceReader): string => {
  const own = reader.ownNames ? clip(pick(record, text, 'source', 'agent_id')) : '';
  return own === '' || reserved.test(own) ? reader.source : own;
};

/** A path relative to the project directory, or `null` if it leads outside. */
const placeOf = (path: string | null, { projectDir }: SourceReader): string | null => {
  if (path === null || path.length > longest) return null;
  const inside = path.startsWith(`${projectDir}/`) ? path.slice(projectDir.length + 1) : path;
  const plain = inside.replace(/^(?:\.\/)+/, '');
  return pathProblem(plain) === null ? plain : null;
};

const locationsOf = (value: unknown, reader: SourceReader): readonly Location[] => {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, mostLocations)
    .filter(isRecord)
    .flatMap((each) => {
      const file = placeOf(pick(each, text, 'file', 'path'), reader);
      return file === null ? [] : [{ file, line: pick(each, lineNumber, 'line') }];
    });
};
