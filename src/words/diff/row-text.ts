import { marked } from '../../base/safe.ts';
import { type Diff, rowKind } from './diff.ts';

/** Characters of one line that are shown or compared. A line of a minified file has a million. */
const longestLine = 4_000;

/** Cells of a tab. */
const tab = '    ';

/** The text of a row without its sign, safe to draw. '' for the head of a file and for a gap. */
export const rowText = (diff: Diff, row: number): string => {
  const kind = diff.kinds[row];
  if (kind === undefined || kind === rowKind.file || kind === rowKind.gap) return '';
  const place = diff.places[row] ?? 0;
  const found = diff.text.indexOf('\n', place);
  const end = Math.min(found < 0 ? diff.text.length : found, place + longestLine);
  const sign = kind === rowKind.hunk ? 0 : kind === rowKind.note ? 2 : 1;
  return drawable(diff.text.slice(Math.min(place + sign, end), end));
};

/** A line that ends in a carriage return keeps it out of sight; tabs become blanks. Other hidden characters are marked. */
const drawable = (text: string): string => marked(text.replace(/\r$/, '').replaceAll('\t', tab));

/** Whether the row's line ends as on Windows. */
export const endsInReturn = (diff: Diff, row: number): boolean => {
  const found = diff.text.indexOf('\n', diff.places[row] ?? 0);
  return diff.text.charCodeAt((found < 0 ? diff.text.length : found) - 1) === 13;
};

/** Whether all of the row's line is shown. */
export const isWhole = (diff: Diff, row: number): boolean => {
  const place = diff.places[row] ?? 0;
  const found = diff.text.indexOf('\n', place);
  return (found < 0 ? diff.text.length : found) - place <= longestLine;
};
