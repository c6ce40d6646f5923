import type { Changes } from '../ports/viewer-port.ts';

type Answers = { readonly [key: string]: Changes };

/** Characters of diffs kept at the same time. */
const mostKept = 8 * 1024 * 1024;

/** The answers of git with one more: the newest, and of the earlier ones as many as memory is meant for. */
export const keepChanges = (answers: Answers, key: string, changes: Changes): Answers => {
  let left = mostKept - changes.diff.length;
  const kept = Object.entries(answers)
    .filter(([other]) => other !== key)
    .toReversed()
    .filter(([, { diff }]) => {
      left -= diff.length;
      return left >= 0;
    });
  return Object.fromEntries([...kept.toReversed(), [key, changes]]);
};
