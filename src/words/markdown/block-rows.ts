import { codeSpans } from './code-spans.ts';
import { layLine } from './lay-line.ts';
import type { MarkdownLook } from './look.ts';
import type { MarkdownRow } from './markdown-line.ts';
import { breakSpans, type MarkedSpan } from './marked-span.ts';
import { readBlock } from './read-block.ts';

/**
 * A block of words as rows. With `keepBreaks` every source line has at least one row, and a line that arrives only adds rows below.
 */
export const blockRows = (
  lines: readonly string[],
  width: number,
  look: MarkdownLook,
  keepBreaks: boolean,
): readonly MarkdownRow[] => {
  // A block that begins indented continues an item above a fence. The lexer would take it for code.
  const indent = indentOf(lines[0] ?? '');
  const texts = indent === '' ? lines : lines.map((text) => withoutIndent(text, indent));
  const inner = width - indent.length;
  const read = readBlock(texts.join('\n'), { look, keepBreaks });
  const rows = read.flatMap((line) => layLine(line, inner, look));
  const all = keepBreaks ? withEverySource(rows, texts, inner, look) : withBlanks(rows, texts);
  return indent === '' ? all : all.map((row) => ({ ...row, spans: [{ text: indent }, ...row.spans] }));
};

/** At most this indentation is kept. */
const mostIndent = 12;

const indentOf = (text: string): string =>
  ' '.repeat(Math.min(mostIndent, text.length - text.trimStart().length));

const withoutIndent = (text: string, indent: string): string =>
  text.slice(0, indent.length).trim() === '' ? text.slice(indent.length) : text.trimStart();

/** The rows in the order of the source. What the lexer made nothing of is shown as it is, such as a blank line. */
const withEverySource = (
  rows: readonly MarkdownRow[],
  lines: readonly string[],
  width: number,
  look: MarkdownLook,
): readonly MarkdownRow[] => {
  const bySource = Map.groupBy(rows, ({ source }) => source);
  return lines.flatMap(
    (text, source) =>
      bySource.get(source) ??
      layLine({ kind: 'words', source, lead: [], hang: [], spans: [{ text }] }, width, look),
  );
};

/** The rows with one blank row wherever the source has blank lines. */
const withBlanks = (rows: readonly MarkdownRow[], lines: readonly string[]): readonly MarkdownRow[] => {
  const blankBefore = (source: number): boolean => source > 0 && (lines[source - 1] ?? '').trim() === '';
  const spaced = rows.flatMap((row, index) => {
    const isFirst = row.source !== rows[index - 1]?.source;
    return isFirst && blankBefore(row.source) ? [{ source: row.source - 1, spans: [] }, row] : [row];
  });
  return (lines.at(-1) ?? '').trim() === '' ? [...spaced, { source: lines.length - 1, spans: [] }] : spaced;
};

/** A line of a fenced block that the line `opening` opens: its frame, or code behind a bar. */
export const fenceRows = (
  kind: 'opens' | 'code' | 'closes',
  text: string,
  opening: string,
  width: number,
  look: MarkdownLook,
): readonly MarkdownRow[] => {
  const indent = indentOf(opening);
  const language = opening
    .trim()
    .replace(/^[`~]+/, '')
    .trim();
  const row = (...spans: readonly MarkedSpan[]): MarkdownRow => ({
    source: 0,
    spans: [{ text: indent }, ...spans],
  });
  if (kind === 'opens')
    return [row(frame(`${look.opens}${look.rule} `), { text: language, role: 'address' })];
  if (kind === 'closes') return [row(frame(`${look.closes}${look.rule}`))];
  return breakSpans(codeSpans(withoutIndent(text, indent), language), width - indent.length - 2).map(
    (spans) => row(frame(`${look.bar} `), ...spans),
  );
};

const frame = (text: string): MarkedSpan => ({ text, role: 'frame' });
