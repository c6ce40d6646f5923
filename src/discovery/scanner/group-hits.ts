import { type Finding, findingId, type Location, mostLocations, severityRank } from '../records/finding.ts';
import type { Hit } from '../rule.ts';
import { isQuietRole } from './file-role.ts';

/** Findings of one rule and severity. A tree with more is no use to anybody as a list, and could fill the disk. */
const mostGroups = 2_000;

/**
 * The hits of a scan, grouped as they come: one group for each rule and value, or for each rule, file and value. Memory grows with the groups, not
 * with the hits.
 */
export interface HitGroups {
  /** Adds a hit. False when it would begin a group beyond the limit, and is left out. */
  readonly add: (rule: string, hit: Hit) => boolean;
  /**
   * Makes one finding for each group. `prefix` is the project's path in its repository. Ids use paths from the root of the work tree, so that a
   * scan of a sub-directory gives the same ones. `quiet` counts dropped findings.
   */
  readonly findings: (
    prefix: string,
    allRoles: boolean,
  ) => { readonly findings: readonly Finding[]; readonly quiet: number };
}

interface Group {
  readonly rule: string;
  /** The most severe hit, which represents the finding. */
  first: Hit;
  count: number;
  confidence: number;
  isLoud: boolean;
  readonly tags: Set<string>;
  /** The most severe places, in order. */
  places: readonly Place[];
}

type Place = Pick<Hit, 'severity' | 'file' | 'line'>;

export const createHitGroups = (): HitGroups => {
  const groups = new Map<string, Group>();
  const counts = new Map<string, number>();
  return {
    add: (rule, hit) => {
      const key = hit.per === 'tree' ? `${rule}\0${hit.value}` : `${rule}\0${hit.file}\0${hit.value}`;
      const known = groups.get(key);
      if (known !== undefined) {
        join(known, hit);
        return true;
      }
      const limited = `${rule}\0${hit.severity}`;
      const count = counts.get(limited) ?? 0;
      if (count >= mostGroups) return false;
      counts.set(limited, count + 1);
      groups.set(
        key,
        join({ rule, first: hit, count: 0, confidence: 1, isLoud: false, tags: new Set(), places: [] }, hit),
      );
      return true;
    },
    findings: (prefix, allRoles) => {
      const all = [...groups.values()];
      const listed = allRoles ? all : all.filter(({ isLoud }) => isLoud);
      return { findings: listed.map((group) => findingOf(group, prefix)), quiet: all.length - listed.length };
    },
  };
};

const join = (group: Group, hit: Hit): Group => {
  group.count += 1;
  group.confidence = Math.min(group.confidence, hit.confidence ?? 1);
  group.isLoud ||= !isQuietRole(hit.role);
  for (const tag of hit.tags ?? []) group.tags.add(tag);
  if (byWeight(hit, group.first) < 0) group.first = hit;
  group.places = withPlace(group.places, hit);
  return group;
};

const withPlace = (places: readonly Place[], { severity, file, line }: Hit): readonly Place[] => {
  const place = { severity, file, line };
  const last = places.at(-1);
  if (places.length >= mostLocations && last !== undefined && byWeight(place, last) >= 0) return places;
  if (places.some((each) => each.file === file && each.line === line)) return places;
  return [...places, place].toSorted(byWeight).slice(0, mostLocations);
};

const findingOf = ({ rule, first, count, confidence, tags, places }: Group, prefix: string): Finding => ({
  _type: 'constraint',
  id:
    first.per === 'tree'
      ? findingId(rule, first.value)
      : findingId(rule, `${prefix}${first.file}`, first.value),
  severity: first.severity,
  category: rule,
  description: first.description,
  file: first.file,
  line: first.line,
  value: first.value,
  occurrences: count,
  locations: places.map(({ file, line }): Location => ({ file, line })),
  recommendation: first.recommendation,
  resolution_steps: [...(first.steps ?? [])],
  tags: [...tags],
  affected_scope: first.per === 'tree' ? 'workspace' : first.file,
  source: 'scanner',
  confidence,
  merged_with: [],
  conflicts_with: [],
  linked_from: first.linkedFrom ?? null,
});

/** The most severe place represents the finding. */
const byWeight = (a: Place, b: Place): number =>
  severityRank(a.severity) - severityRank(b.severity) ||
  (a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0));
