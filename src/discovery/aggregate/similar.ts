import type { Finding } from '../records/finding.ts';
import { sourceTimeout } from '../records/finding.ts';
import { mergeFindings } from './merge.ts';
import { overlap, sameText, sayTheSame, wordsOf } from './words.ts';

/**
 * Merges equal findings of different sources: same category and file, and the same value or descriptions with an overlap of at least 0.8. Two with
 * different recommendations for one value stay apart. `findings` are ordered by confidence; each joins the first earlier one that fits.
 */
export const mergeSimilar = (findings: readonly Finding[]): readonly Finding[] => {
  const groups: Group[] = [];
  for (const place of byPlace(findings)) groups.push(...mergePlace(place));
  const merged = new Map(
    groups.map(({ first, others }) => [first.finding, mergeFindings(first.finding, others)]),
  );
  return findings.flatMap((finding) => merged.get(finding) ?? []);
};

/** Whether two findings about one value have different recommendations (src/discovery/README.md, Aggregation 3). */
export const inConflict = (a: Finding, b: Finding): boolean =>
  a.value !== null &&
  a.file !== null &&
  a.category === b.category &&
  a.file === b.file &&
  a.value === b.value &&
  a.recommendation !== '' &&
  b.recommendation !== '' &&
  overlap(wordsOf(a.recommendation), wordsOf(b.recommendation)) < sameText;

/** Findings grouped by category and file. */
export const byPlace = (findings: readonly Finding[]): readonly (readonly Finding[])[] => [
  ...Map.groupBy(findings, ({ category, file }) => `${category}\0${file ?? ''}`).values(),
];

interface Described {
  readonly finding: Finding;
  /** The numbers of its words in ascending order, the rarest word of the place first. */
  readonly words: readonly number[];
}

interface Group {
  readonly first: Described;
  readonly others: Finding[];
}

const mergePlace = (findings: readonly Finding[]): readonly Group[] => {
  const [one] = findings;
  if (one && findings.length === 1) return [{ first: { finding: one, words: [] }, others: [] }];
  const groups: Group[] = [];
  const byValue = new Map<string, number[]>();
  const byWord = new Map<number, number[]>();
  for (const each of describeAll(findings)) {
    const { value } = each.finding;
    const prefix = prefixOf(each);
    const found = firstSimilar(groups, each, [
      ...(value === null ? [] : [byValue.get(value) ?? []]),
      ...prefix.map((word) => byWord.get(word) ?? []),
    ]);
    if (found !== null) found.others.push(each.finding);
    else {
      const index = groups.push({ first: each, others: [] }) - 1;
      if (value !== null) addTo(byValue, value, index);
      for (const word of prefix) addTo(byWord, word, index);
    }
  }
  return groups;
};

/** The earliest similar group of a finding. `candidates` are lists of group numbers. */
const firstSimilar = (
  groups: readonly Group[],
  each: Described,
  candidates: readonly (readonly number[])[],
): Group | null => {
  let best: number | null = null;
  for (const list of candidates)
    for (const index of list) {
      if (best !== null && index >= best) break;
      const group = groups[index];
      if (group && isSimilar(group.first, each)) best = index;
    }
  return best === null ? null : (groups[best] ?? null);
};

const isSimilar = (a: Described, b: Described): boolean => {
  if (a.finding.source === b.finding.source) return false;
  const sameValue = a.finding.value !== null && a.finding.value === b.finding.value;
  if (sameValue) return !inConflict(a.finding, b.finding);
  // Two sources that gave no answer left two things unknown, in the same words.
  if (a.finding.category === sourceTimeout) return false;
  return sayTheSame(a.words, b.words);
};

const describeAll = (findings: readonly Finding[]): readonly Described[] => {
  const sets = findings.map(({ description }) => wordsOf(description));
  const frequency = new Map<string, number>();
  for (const set of sets) for (const word of set) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const rarestFirst = [...frequency].sort(([a, often], [b, less]) => often - less || (a < b ? -1 : 1));
  const numbers = new Map(rarestFirst.map(([word], number) => [word, number]));
  return findings.map((finding, index) => ({
    finding,
    words: [...(sets[index] ?? [])].map((word) => numbers.get(word) ?? 0).sort((a, b) => a - b),
  }));
};

/** If two texts share 0.8 of their words and have the same order, they share one of their rarest fifth. */
const prefixOf = ({ words }: Described): readonly number[] =>
  words.slice(0, words.length - Math.ceil(words.length * sameText - 1e-9) + 1);

const addTo = <K>(map: Map<K, number[]>, key: K, index: number): void => {
  const known = map.get(key);
  if (known) known.push(index);
  else map.set(key, [index]);
};
