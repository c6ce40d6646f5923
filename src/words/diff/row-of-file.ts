import { safeBlock } from '../../base/safe.ts';
import { type Diff, rowKind } from './diff.ts';
import { fileOfRow } from './file-of-row.ts';
import { rowText } from './row-text.ts';

/** The line in the file as it is now that a row is about: of a removed line the one that took its place, of a head the first change below. */
export const lineInFile = (diff: Diff, row: number): number => {
  const end = fileOfRow(diff, row)?.end ?? 0;
  const isHead = diff.kinds[row] === rowKind.file || diff.kinds[row] === rowKind.hunk;
  let first = row;
  while (
    isHead &&
    first < end &&
    diff.kinds[first] !== rowKind.added &&
    diff.kinds[first] !== rowKind.removed
  )
    first += 1;
  for (let at = first; at < end && diff.kinds[at] !== rowKind.hunk; at += 1) {
    const line = diff.after[at] ?? 0;
    if (line > 0) return line;
  }
  return lineBefore(diff, first);
};

/** The last line of the file above a row. */
const lineBefore = (diff: Diff, row: number): number => {
  for (let at = row; at >= 0 && diff.kinds[at] !== rowKind.file; at -= 1)
    if ((diff.after[at] ?? 0) > 0) return diff.after[at] ?? 1;
  return 1;
};

/** Characters copied at once: more than anybody pastes. */
const mostCopied = 256 * 1024;

/** The text that a row stands for: a line by itself, without its sign; a hunk or a file as a patch. */
export const copyRow = (diff: Diff, row: number): string => {
  const kind = diff.kinds[row];
  const isPart = kind === rowKind.file || kind === rowKind.hunk;
  if (!isPart) return rowText(diff, row);
  const { end = row } = fileOfRow(diff, row) ?? {};
  const next = kind === rowKind.file ? end : (diff.hunks.find((hunk) => hunk > row) ?? end);
  const until = diff.places[Math.min(next, end)] ?? diff.text.length;
  const from = diff.places[row] ?? 0;
  return safeBlock(diff.text.slice(from, Math.min(until, from + mostCopied))).trimEnd();
};
