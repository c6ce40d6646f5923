import type { ResultLine } from '../forms/form.ts';
import type { Choice } from '../forms/question.ts';
import type { Acknowledgement } from './acknowledged.ts';
import {
  type Guidance,
  type GuidanceItem,
  itemOf,
  itemText,
  sameItem,
  uniqueItems,
  without,
} from './guidance.ts';

/**
 * An option to avoid or prefer. `id`: of a finding or of a busywork line, or a word for a priority. `label`: at most 60 characters. `detail`: `(HIGH)
 * src/a.ts:3 [scanner] Use a path relative to the project`.
 */
export interface WizardOption extends Choice {
  /** The text written into the guidance when it is chosen. */
  readonly phrase: string;
  /** `null` if the option is no finding. */
  readonly severity: Acknowledgement['severity'] | null;
  /** The ids of findings whose recommendations contradict this one. */
  readonly conflictsWith: readonly string[];
}

/** A person's choices in the wizard. `null` for a skipped step, which keeps the stored values. */
interface WizardChoices {
  readonly avoid: readonly WizardOption[] | null;
  readonly avoidWords: readonly string[] | null;
  readonly prefer: readonly WizardOption[] | null;
  readonly preferWords: readonly string[] | null;
}

/** The wizard's result: the guidance to save, the chosen findings, and contradictions. */
export interface WizardResult {
  readonly guidance: Guidance;
  /** Acknowledged when the guidance is saved. */
  readonly chosen: readonly WizardOption[];
  readonly conflicts: readonly string[];
  /** Stored items that are in neither list any more. */
  readonly dropped: readonly GuidanceItem[];
}

/** A person's own entries, comma-separated. `path:` and `command:` make enforced items. */
export const ownWords = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim().slice(0, 500))
    .filter((part) => part !== '');

/** Joins the choices with the stored guidance. A skipped step keeps its part, and avoiding wins over preferring. */
export const wizardResult = (stored: Guidance, choices: WizardChoices): WizardResult => {
  const forbidden = itemsOf(stored.forbidden, choices.avoid, choices.avoidWords);
  const wanted = itemsOf(stored.encouraged, choices.prefer, choices.preferWords);
  const encouraged = without(wanted, forbidden);
  const chosen = (choices.avoid ?? []).filter(({ severity }) => severity !== null);
  const known = choices.avoid === null ? stored.constraint_ids : [];
  return {
    guidance: {
      forbidden,
      encouraged,
      timestamp: stored.timestamp,
      constraint_ids: [...new Set([...known, ...chosen.map(({ id }) => id)])],
    },
    chosen,
    conflicts: [
      ...wanted
        .filter((item) => forbidden.some((other) => sameItem(item, other)))
        .map((item) => `${itemText(item)} is also forbidden, which takes precedence`),
      ...chosen.flatMap(({ id, conflictsWith }) =>
        conflictsWith.map((other) => `${id} contradicts ${other}: look at both recommendations`),
      ),
    ],
    dropped: without([...stored.forbidden, ...stored.encouraged], [...forbidden, ...encouraged]),
  };
};

/** The result before it is saved, in lines: both lists, every conflict, and what no longer holds. */
export const resultLines = ({
  guidance,
  chosen,
  conflicts,
  dropped,
}: WizardResult): readonly ResultLine[] => [
  ...listed('Avoid', guidance.forbidden),
  ...listed('Prefer', guidance.encouraged),
  ...conflicts.map((conflict) => ({ warning: `Conflict: ${conflict}` })),
  ...(dropped.length === 0 ? [] : listed('No longer', dropped)),
  ...(chosen.length === 0
    ? []
    : [
        `${chosen.length} finding${chosen.length === 1 ? '' : 's'} will be acknowledged and hidden next time`,
      ]),
];

/** One list under its title, one item per line. */
export const listed = (title: string, items: readonly GuidanceItem[]): readonly string[] =>
  items.length === 0 ? [`${title}: nothing`] : [`${title}:`, ...items.map((item) => `  ${itemText(item)}`)];

/**
 * Joins the chosen options and the own words of one question. Both skipped: the stored items. Options skipped: the stored items and the words. Else:
 * the options, the stored files and commands, and the words.
 */
const itemsOf = (
  stored: readonly GuidanceItem[],
  chosen: readonly WizardOption[] | null,
  words: readonly string[] | null,
): readonly GuidanceItem[] => {
  if (chosen === null && words === null) return stored;
  if (chosen === null) return uniqueItems([...stored, ...(words ?? []).map(itemOf)]);
  // The list of options never has files and commands, so a new choice does not remove them.
  const enforced = stored.filter((item) => typeof item !== 'string');
  return uniqueItems([...chosen.map(({ phrase }) => phrase), ...enforced, ...(words ?? []).map(itemOf)]);
};
