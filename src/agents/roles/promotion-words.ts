import { contradictedParts } from '../steer-tree.ts';

/** The files that the words of an APPROVE, or of a STEER before the promotion, choose, or why they choose none. Words without a restriction ("Looks good") choose all. */
export type Chosen = { readonly files: readonly string[] } | { readonly unclear: string };

const only = /\b(?:only|just|solely|nothing but)\b/iu;
const leavesOut =
  /\b(?:not|no|don['’]?t|except|excluding|without|skip|omit|exclude|leave out|all but|never)\b/iu;

/**
 * Reads "Promote only the API reference, not the tutorial" (seed 001, section 3.5) against the staged files: by path, by name, or by category. Words that
 * restrict and name no staged file are unclear: the gate stays open. Beside a list of files they are a comment ("this one only"); words that name files
 * can leave some of the list out, never add to it.
 */
export const chosenBy = (message: string, staged: readonly string[], listed?: readonly string[]): Chosen => {
  const files = listed ?? staged;
  const wants = only.test(message);
  const rejects = leavesOut.test(message);
  if (!wants && !rejects) return { files };
  const clauses = message.split(/[,;:!?\n]+|\.(?=\s|$)|\b(?:but|and not|except|excluding|without)\b/iu);
  const rejected = [
    ...contradictedParts(message),
    ...[...message.matchAll(/\b(?:except|excluding|all but)\b([^,;.\n]*)/giu)].map(([, part = '']) => part),
  ];
  const kept = clauses.filter((clause) => only.test(clause) && !leavesOut.test(clause));
  const isIn = (parts: readonly string[]) => (file: string) => parts.some((part) => names(part, file));
  const isNamed = staged.some(isIn([...rejected, ...kept]));
  if (listed !== undefined && !isNamed) return { files };
  const restricts = wants && (listed === undefined || staged.some(isIn(kept)));
  const left = files.filter((file) => !isIn(rejected)(file) && (!restricts || isIn(kept)(file)));
  return isNamed && left.length > 0
    ? { files: left }
    : {
        unclear: `says "${message}", and no ${listed === undefined ? 'staged file' : 'file of its `promote`'} fits that`,
      };
};

/** Whether the text names the file: `reference/api.md`, `api.md`, `api`, or its category in the singular or plural. */
const names = (text: string, file: string): boolean => {
  const lower = ` ${text.toLowerCase().replaceAll(/\bhow[ -]?tos?\b/gu, 'how-to')} `;
  const [category = '', name = ''] = file.toLowerCase().split('/');
  if (lower.includes(file.toLowerCase())) return true;
  // Another file that is named by its path does not name this one's category.
  const words = lower.replaceAll(/[\w-]+\/[\w.-]+/gu, ' ');
  if (words.includes(name)) return true;
  const singular = category.replace(/s$/u, '');
  return [name.replace(/\.md$/u, ''), category, singular].some(
    (word) =>
      word !== '' && new RegExp(`(?<![\\w-])${word.replaceAll(/[^\w-]/gu, '.')}(?![\\w-])`, 'u').test(words),
  );
};
