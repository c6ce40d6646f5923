import { markedWords } from '../../../components/changes/diff-lines.ts';
import { paint } from '../../../components/draw/paint.ts';
import { bold, type Line, span } from '../../../components/draw/span.ts';
import type { Theme } from '../../../components/draw/theme.ts';
import type { ChangedFile } from '../../../components/ports/viewer-port.ts';
import { marked, safe } from '../../base/safe.ts';
import { type Diff, parseDiff, rowKind } from '../../words/diff/diff.ts';
import { fileWords } from '../../words/diff/file-words.ts';
import { isWhole } from '../../words/diff/row-text.ts';
import { count } from '../../words/local-time.ts';
import { widthOf } from '../../words/width.ts';

/** A diff for a terminal: git's own lines, with hidden characters marked, in colours and with the words that changed, as in the Changes tab. */
export const paintDiff = (text: string, theme: Theme): string => {
  const diff = parseDiff(text);
  let row = 0;
  let place = 0;
  const painted = text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      while (row + 1 < diff.kinds.length && (diff.places[row + 1] ?? 0) <= place) row += 1;
      const isRow = diff.places[row] === place && diff.kinds[row] !== rowKind.file;
      place += line.length + 1;
      return paint(isRow ? rowLine(diff, row, line) : [bold(marked(line))], theme);
    });
  return painted.join('\n');
};

const rowLine = (diff: Diff, row: number, line: string): Line => {
  const kind = diff.kinds[row];
  if (kind === rowKind.hunk) return [span(marked(line), 'accent')];
  if (kind !== rowKind.added && kind !== rowKind.removed) return [span(marked(line))];
  const tone = kind === rowKind.added ? 'done' : 'failed';
  if (!isWhole(diff, row)) return [span(marked(line), tone)];
  return [span(line.slice(0, 1), tone), ...markedWords(row, tone, { diff })];
};

/** One line per file with its counts and what happened to it, then the sum. `null`: as plain text. */
export const formatStat = (files: readonly ChangedFile[], text: string, theme: Theme | null): string => {
  const known = new Map(parseDiff(text).files.map((file) => [file.path, file]));
  const rows = files.map(({ path, added, removed }) => {
    const file = known.get(path);
    return {
      path: safe(path),
      plus: added === null ? '' : `+${added}`,
      minus: removed === null ? '' : `-${removed}`,
      words: file === undefined ? '' : fileWords(file),
    };
  });
  const widest = (of: 'path' | 'plus' | 'minus'): number =>
    Math.max(0, ...rows.map((row) => widthOf(row[of])));
  const [path, plus, minus] = [widest('path'), widest('plus'), widest('minus')];
  const lines = rows.map((row): Line => {
    const cells = [
      span(row.path + ' '.repeat(path - widthOf(row.path) + 2)),
      span(row.plus.padEnd(plus + 1), 'done'),
      span(row.minus.padEnd(minus + 2), 'failed'),
      span(row.words, 'secondary'),
    ];
    const last = cells.findLastIndex((cell) => cell.text.trim() !== '');
    return cells
      .slice(0, last + 1)
      .map((cell, index) => (index === last ? { ...cell, text: cell.text.trimEnd() } : cell));
  });
  const sum = (of: 'added' | 'removed'): number => files.reduce((all, file) => all + (file[of] ?? 0), 0);
  const total = [span(`${count(files.length, 'file')}, +${sum('added')} -${sum('removed')}`)];
  return [...lines, total]
    .map((line) => (theme === null ? line.map((cell) => cell.text).join('') : paint(line, theme)))
    .join('\n');
};
