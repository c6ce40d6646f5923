import { commonLengths } from '../../base/match/common-lengths.ts';

/** A part of a text: `from` up to, and without, `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The parts in which two forms of one line differ. */
interface ChangedWords {
  readonly before: readonly Range[];
  readonly after: readonly Range[];
}

const nothing: ChangedWords = { before: [], after: [] };

/** Words compared one with the other: more than any line that people read has. Of a longer line the whole middle counts as changed. */
const mostCells = 40_000;

/** Below this share of common text the two lines are different lines, and nothing in them stands out. */
const leastShare = 0.3;

/**
 * The words that changed from one form of a line to the other. A longest common subsequence of words between what the lines have in common
 * at both ends: 80 lines here in place of a library, whose general text diffs bring no words, no limit and 30 KB more to start with.
 */
export const changedWords = (before: string, after: string): ChangedWords => {
  const [one, other] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let tail = 0;
  while (
    tail < one.length - start &&
    tail < other.length - start &&
    one.at(-1 - tail) === other.at(-1 - tail)
  )
    tail += 1;
  const [left, right] = [one.slice(start, one.length - tail), other.slice(start, other.length - tail)];
  const kept = commonWords(left, right);
  const marks = {
    before: rangesOf(one, start, kept.left),
    after: rangesOf(other, start, kept.right),
  };
  const common = Math.max(blackOf(before, marks.before), blackOf(after, marks.after));
  const longer = Math.max(blackOf(before, []), blackOf(after, []));
  return longer > 0 && common / longer < leastShare ? nothing : marks;
};

/** Words, runs of blanks, and every other sign by itself with what belongs to it. Scripts without blanks have a word a sign. */
const word =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]\p{M}*|[\p{L}\p{M}\p{N}_]+|\s+|\p{RI}{2}|\S(?:\p{M}|\p{Emoji_Modifier}|\u200d\p{Extended_Pictographic})*/gu;
const wordsOf = (text: string): readonly string[] => text.match(word) ?? [];

/** Which words of each side are part of a longest common subsequence. */
const commonWords = (
  left: readonly string[],
  right: readonly string[],
): { readonly left: readonly boolean[]; readonly right: readonly boolean[] } => {
  const kept = { left: left.map(() => false), right: right.map(() => false) };
  if (left.length * right.length > mostCells || left.length === 0 || right.length === 0) return kept;
  const at = commonLengths(left, right);
  for (let row = 0, column = 0; row < left.length && column < right.length; ) {
    if (left[row] === right[column]) {
      kept.left[row] = true;
      kept.right[column] = true;
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return kept;
};

/** The words that are not kept, as parts of the line. Blanks between two of them belong to both. */
const rangesOf = (words: readonly string[], start: number, kept: readonly boolean[]): readonly Range[] => {
  const isChanged = (index: number): boolean => kept[index] === false;
  const ranges: Range[] = [];
  let place = words.slice(0, start).reduce((sum, word) => sum + word.length, 0);
  kept.forEach((_, index) => {
    const word = words[start + index] ?? '';
    const joins = /^\s/.test(word) && isChanged(index - 1) && isChanged(index + 1);
    const to = place + word.length;
    const last = ranges.at(-1);
    if (isChanged(index) || joins) {
      if (last?.to === place) ranges[ranges.length - 1] = { from: last.from, to };
      else ranges.push({ from: place, to });
    }
    place = to;
  });
  return ranges;
};

/** Characters that are no blanks, outside of the ranges. */
const blackOf = (text: string, ranges: readonly Range[]): number => {
  let kept = '';
  let from = 0;
  for (const range of ranges) {
    kept += text.slice(from, range.from);
    from = range.to;
  }
  return (kept + text.slice(from)).replace(/\s/g, '').length;
};
