import { safe } from '../base/safe.ts';
import { type Finding, type Severity, severities, severityRank } from './records/finding.ts';
import type { ScanMetadata } from './records/scan-file.ts';
import { kindOfSource } from './sources.ts';

interface ScanText {
  readonly metadata: ScanMetadata;
  /** The listed findings. The bars count all. */
  readonly findings: readonly Finding[];
  /** The number of dropped findings in documentation, fixtures and generated files. */
  readonly quiet: number;
  /** The number of dropped acknowledged findings. */
  readonly acknowledged: number;
  readonly ascii: boolean;
}

/** A scan as text for people: one bar for each severity, the totals, the findings. Safe to print. */
export const formatScan = (text: ScanText): readonly string[] => [
  ...severityBars(text.metadata.counts, text.ascii),
  totals(text),
  ...text.findings.flatMap((finding) => ['', ...formatFinding(finding)]),
];

const kinds = ['scanner', 'probe', 'explorer', 'file'] as const;
type Kind = (typeof kinds)[number];

const glyphs: Readonly<Record<Kind, readonly [string, string]>> = {
  scanner: ['█', '#'],
  probe: ['▒', '='],
  explorer: ['░', '-'],
  file: ['▪', '.'],
};

const plural = (kind: Kind, count: number): string => (kind === 'scanner' || count === 1 ? kind : `${kind}s`);

/** The longest bar, in cells. */
const longestBar = 40;

/** `HIGH     ███▒▒ 3 scanner + 2 probes`, one line for each severity, and a legend of the kinds that occur. */
const severityBars = (counts: ScanMetadata['counts'], ascii: boolean): readonly string[] => {
  const rows = severities.map((severity) => ({ severity, byKind: countByKind(counts[severity] ?? {}) }));
  const most = Math.max(1, ...rows.map(({ byKind }) => sum(byKind)));
  const scale = Math.min(1, longestBar / most);
  const lines = rows.map(({ severity, byKind }) => {
    const there = kinds.filter((kind) => byKind[kind] > 0);
    const bar = there.map((kind) => glyph(kind, ascii).repeat(Math.max(1, Math.round(byKind[kind] * scale))));
    const words = there.map((kind) => `${byKind[kind]} ${plural(kind, byKind[kind])}`).join(' + ');
    return `${severity.toUpperCase().padEnd(9)}${bar.join('')}${bar.length > 0 ? ' ' : ''}${words || 'none'}`;
  });
  const used = kinds.filter((kind) => rows.some(({ byKind }) => byKind[kind] > 0));
  const legend = used.map((kind) => `${glyph(kind, ascii)} ${plural(kind, 2)}`).join('  ');
  return used.length === 0 ? lines : [...lines, legend];
};

const glyph = (kind: Kind, ascii: boolean): string => glyphs[kind][ascii ? 1 : 0];

const countByKind = (bySource: Readonly<Record<string, number>>): Record<Kind, number> => {
  const counts = { scanner: 0, probe: 0, explorer: 0, file: 0 };
  for (const [source, count] of Object.entries(bySource)) counts[kindOfSource(source)] += count;
  return counts;
};

const sum = (counts: Readonly<Record<Kind, number>>): number =>
  kinds.reduce((total, kind) => total + counts[kind], 0);

const totals = ({ metadata, findings, quiet, acknowledged }: ScanText): string => {
  const { total_after: total, deduped, below_threshold: below } = metadata.aggregation;
  const hidden = total - findings.length - acknowledged;
  const parts = [
    `${counted(total, 'finding')} from ${metadata.sources.join(', ') || 'no source'}`,
    ...(hidden > 0 ? [`${hidden} less severe not shown`] : []),
    ...(acknowledged > 0 ? [`${acknowledged} acknowledged`] : []),
    ...(deduped > 0 ? [`${deduped} merged`] : []),
    ...(below > 0 ? [`${below} uncertain left out`] : []),
    ...(quiet > 0 ? [`${quiet} only in docs, fixtures or generated files (--all-roles)`] : []),
    ...(metadata.skipped_files.count > 0
      ? [`${counted(metadata.skipped_files.count, 'file')} not read (large, binary or linked)`]
      : []),
    ...(metadata.parse_errors > 0 ? [`${counted(metadata.parse_errors, 'record')} unreadable`] : []),
    ...(metadata.status === 'partial'
      ? [
          `partial${metadata.skipped_sources.length === 0 ? '' : `: without ${metadata.skipped_sources.map(({ source }) => source).join(', ')}`}`,
        ]
      : []),
    ...(metadata.error === null ? [] : [metadata.error]),
  ];
  return safe(parts.join(' · '));
};

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Three lines: problem and place, advice, id. */
const formatFinding = (finding: Finding): readonly string[] => {
  const more = finding.occurrences > 1 ? ` (${finding.occurrences} places)` : '';
  const advice = finding.recommendation === '' ? [] : [`  ${safe(finding.recommendation)}`];
  const conflicts =
    finding.conflicts_with.length === 0
      ? []
      : [`  Conflicts with ${safe(finding.conflicts_with.join(', '))}`];
  return [
    `${finding.severity.toUpperCase()} ${safe(placeOf(finding))} ${safe(finding.description)}${more}`,
    ...advice,
    ...conflicts,
    `  ${safe(finding.id)} [${safe([finding.source, ...finding.merged_with.filter((it) => it !== finding.source)].join(' + '))}]`,
  ];
};

/** `src/a.ts:3`, `src/a.ts`, or `-` for a finding without a place. */
export const placeOf = ({ file, line }: Finding): string =>
  file === null ? '-' : line === null ? file : `${file}:${line}`;

/** Findings of at least this severity. */
export const atLeast = (findings: readonly Finding[], severity: Severity): readonly Finding[] =>
  findings.filter((finding) => severityRank(finding.severity) <= severityRank(severity));
