import { type Finding, type Location, mostLocations, worse } from '../records/finding.ts';

/**
 * Merges findings about the same thing into one; `first` is the most confident. Takes the highest severity, and unites steps, tags and places in
 * order without duplicates. All other fields come from the first (src/discovery/README.md, Aggregation 1).
 */
export const mergeFindings = (first: Finding, others: readonly Finding[]): Finding => {
  if (others.length === 0) return first;
  const all = [first, ...others];
  const sources = unique(all.flatMap((each) => [each.source, ...each.merged_with])).toSorted();
  return {
    ...first,
    severity: all.map(({ severity }) => severity).reduce(worse),
    occurrences: Math.max(...all.map(({ occurrences }) => occurrences)),
    locations: uniquePlaces(all.flatMap(({ locations }) => locations)).slice(0, mostLocations),
    resolution_steps: unique(all.flatMap((each) => each.resolution_steps)),
    tags: unique(all.flatMap(({ tags }) => tags)),
    merged_with: sources.length > 1 ? sources : first.merged_with,
    conflicts_with: unique(all.flatMap((each) => each.conflicts_with)).filter((id) => id !== first.id),
    linked_from: all.map((each) => each.linked_from).find((from) => from !== null) ?? null,
    confidence: Math.max(...all.map(({ confidence }) => confidence)),
  };
};

export const unique = (values: readonly string[]): readonly string[] => [...new Set(values)];

const uniquePlaces = (places: readonly Location[]): readonly Location[] => [
  ...new Map(places.map((place) => [`${place.file}\0${place.line}`, place])).values(),
];
