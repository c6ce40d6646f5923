import { bySeverityAndId, type Finding } from '../records/finding.ts';
import type { ScanMetadata } from '../records/scan-file.ts';
import { mergeFindings, unique } from './merge.ts';
import { byPlace, inConflict, mergeSimilar } from './similar.ts';

export interface AggregateOptions {
  /** Whether equal findings of different sources become one record. */
  readonly aggregateSimilar: boolean;
  /** Drops explorers' findings below this confidence. */
  readonly minConfidence: number;
}

interface Aggregated {
  /** By severity, then id. */
  readonly findings: readonly Finding[];
  readonly aggregation: ScanMetadata['aggregation'];
}

/**
 * Combines the findings of all sources into one list (src/discovery/README.md, Aggregation). The order of `findings` does not matter, and a second aggregation
 * changes nothing. `total_before − total_after = deduped + below_threshold`.
 */
export const aggregate = (findings: readonly Finding[], options: AggregateOptions): Aggregated => {
  const sure = findings.filter(
    ({ source, confidence }) => !source.startsWith('explorer') || confidence >= options.minConfidence,
  );
  const distinct = mergeSameId(sure);
  const united = options.aggregateSimilar ? mergeSimilar(distinct) : distinct;
  const all = markConflicts(united).toSorted(bySeverityAndId);
  return {
    findings: all,
    aggregation: {
      total_before: findings.length,
      total_after: all.length,
      deduped: sure.length - all.length,
      below_threshold: findings.length - sure.length,
    },
  };
};

/** The most confident first, the scanner before others. A total order, so that the input's order has no effect. */
const byConfidence = (a: Finding, b: Finding): number =>
  b.confidence - a.confidence ||
  Number(b.source === 'scanner') - Number(a.source === 'scanner') ||
  compare(a.source, b.source) ||
  compare(a.id, b.id) ||
  compare(JSON.stringify(a), JSON.stringify(b));

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const mergeSameId = (findings: readonly Finding[]): readonly Finding[] =>
  [...Map.groupBy(findings, ({ id }) => id).values()]
    .flatMap((same) => {
      const [first, ...others] = same.length === 1 ? same : same.toSorted(byConfidence);
      return first ? [mergeFindings(first, others)] : [];
    })
    .toSorted(byConfidence);

/** Names each conflict on both sides. The less confident side also gets a step that says which advice to prefer. */
const markConflicts = (findings: readonly Finding[]): readonly Finding[] => {
  const marked = new Map<Finding, { readonly ids: string[]; readonly steps: string[] }>();
  const marksOf = (finding: Finding) => {
    const known = marked.get(finding) ?? { ids: [], steps: [] };
    marked.set(finding, known);
    return known;
  };
  for (const place of byPlace(findings))
    for (const same of Map.groupBy(place, ({ value }) => value ?? '').values())
      for (const [index, first] of same.entries())
        for (const second of same.slice(index + 1)) {
          if (!inConflict(first, second)) continue;
          marksOf(first).ids.push(second.id);
          marksOf(second).ids.push(first.id);
          marksOf(second).steps.push(
            `Conflicts with ${first.id} (${first.source}): prefer "${first.recommendation}".`,
          );
        }
  return findings.map((finding) => {
    const marks = marked.get(finding);
    if (!marks) return finding;
    return {
      ...finding,
      conflicts_with: unique([...finding.conflicts_with, ...marks.ids]).toSorted(),
      resolution_steps: unique([...finding.resolution_steps, ...marks.steps]),
    };
  });
};
