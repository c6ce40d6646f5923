import { type Finding, findingId, type Location, mostLocations, severityRank } from '../records/finding.ts';
import type { Hit } from '../rules/rule.ts';
import { isQuietRole } from './file-role.ts';

export interface RuleHit extends Hit {
  readonly rule: string;
}

/**
 * Makes one finding for each rule and value, or for each rule, file and value. `prefix` is the project's path in its repository. Ids use paths from
 * the root of the work tree, so that a scan of a sub-directory gives the same ones. `quiet` counts dropped findings.
 */
export const findingsOf = (
  hits: readonly RuleHit[],
  prefix: string,
  allRoles: boolean,
): { readonly findings: readonly Finding[]; readonly quiet: number } => {
  const groups = [...Map.groupBy(hits, (hit) => idOf(hit, prefix)).entries()];
  const loud = groups.filter(([, same]) => allRoles || same.some(({ role }) => !isQuietRole(role)));
  return {
    findings: loud.flatMap(([id, same]) => findingOf(id, same) ?? []),
    quiet: groups.length - loud.length,
  };
};

const idOf = ({ rule, per, file, value }: RuleHit, prefix: string): string =>
  per === 'tree' ? findingId(rule, value) : findingId(rule, `${prefix}${file}`, value);

const findingOf = (id: string, hits: readonly RuleHit[]): Finding | null => {
  const sorted = hits.toSorted(byWeight);
  const [first] = sorted;
  if (!first) return null;
  const places = new Map(sorted.map(({ file, line }) => [`${file}\0${line}`, { file, line }]));
  return {
    _type: 'constraint',
    id,
    severity: first.severity,
    category: first.rule,
    description: first.description,
    file: first.file,
    line: first.line,
    value: first.value,
    occurrences: hits.length,
    locations: [...places.values()].slice(0, mostLocations).map((place): Location => ({ ...place })),
    recommendation: first.recommendation,
    resolution_steps: [...(first.steps ?? [])],
    tags: [...new Set(sorted.flatMap(({ tags }) => tags ?? []))],
    affected_scope: first.per === 'tree' ? 'workspace' : first.file,
    source: 'scanner',
    confidence: hits.reduce((least, { confidence = 1 }) => Math.min(least, confidence), 1),
    merged_with: [],
    conflicts_with: [],
    linked_from: first.linkedFrom ?? null,
  };
};

/** The most severe place represents the finding. */
const byWeight = (a: RuleHit, b: RuleHit): number =>
  severityRank(a.severity) - severityRank(b.severity) ||
  (a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0));
