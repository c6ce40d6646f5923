import { commonLengths } from './common-lengths.ts';

/** A line of a comparison: in both texts, only in the old one, or only in the new one. */
export interface DiffLine {
  readonly kind: 'same' | 'old' | 'new';
  readonly text: string;
}

/** Longer texts are compared as a whole between their common ends: the table would take seconds. */
const mostCells = 4_000_000;

/** The lines of two texts in one list: as few old and new ones as possible. */
export const diffLines = (before: string, after: string): readonly DiffLine[] =>
  diffOf(before.split('\n'), after.split('\n'));

export const diffOf = (old: readonly string[], fresh: readonly string[]): readonly DiffLine[] => {
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, fresh.length) - head && old.at(-1 - tail) === fresh.at(-1 - tail))
    tail += 1;
  const same = (lines: readonly string[]): readonly DiffLine[] =>
    lines.map((text) => ({ kind: 'same', text }));
  return [
    ...same(old.slice(0, head)),
    ...changed(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)),
    ...same(tail === 0 ? [] : old.slice(-tail)),
  ];
};

const changed = (old: readonly string[], fresh: readonly string[]): readonly DiffLine[] => {
  const gone = old.map((text): DiffLine => ({ kind: 'old', text }));
  const come = fresh.map((text): DiffLine => ({ kind: 'new', text }));
  if (old.length === 0 || fresh.length === 0 || old.length * fresh.length > mostCells)
    return [...gone, ...come];
  const at = commonLengths(old, fresh);
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < fresh.length) {
    const [left, right] = [gone[row], come[column]];
    if (left && right && left.text === right.text) {
      lines.push({ kind: 'same', text: left.text });
      row += 1;
      column += 1;
    } else if (left && (!right || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(left);
      row += 1;
    } else if (right) {
      lines.push(right);
      column += 1;
    }
  }
  return lines;
};

/** The changed lines with so many unchanged ones around them; `null` marks what is left out. */
export const changedParts = (lines: readonly DiffLine[], around = 2): readonly (DiffLine | null)[] => {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same'),
  );
  return lines.flatMap((line, index) => {
    if (near[index]) return [line];
    return near[index - 1] || (index === 0 && near.some(Boolean)) ? [null] : [];
  });
};
