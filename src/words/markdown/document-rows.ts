import { safeBlock } from '../../base/safe.ts';
import { type BlockReading, noBlock, readSourceLine, type SourceLine } from './block-reading.ts';
import { blockRows, fenceRows } from './block-rows.ts';
import type { MarkdownLook } from './look.ts';
import type { MarkdownRow } from './markdown-line.ts';

/**
 * A whole text of Markdown as rows of at most `width` cells, such as a plan, an issue or a report. Lines of a paragraph are joined and
 * wrapped again. `source` of a row is its line in the text.
 */
export const documentRows = (markdown: string, width: number, look: MarkdownLook): readonly MarkdownRow[] => {
  const texts = safeBlock(markdown).split('\n');
  const kinds = sourceLines(texts);
  const rows: MarkdownRow[] = [];
  for (let at = 0; at < texts.length; ) {
    const { kind, block } = kinds[at] ?? { kind: 'words', block: at };
    let end = at + 1;
    while (kind === 'words' && kinds[end]?.kind === 'words' && kinds[end]?.block === block) end += 1;
    const lines = texts.slice(at, end);
    const made =
      kind === 'words'
        ? blockRows(lines, width, look, false)
        : fenceRows(kind, lines[0] ?? '', texts[block] ?? '', width, look);
    for (const row of made) rows.push({ ...row, source: row.source + at });
    at = end;
  }
  return rows;
};

const sourceLines = (texts: readonly string[]): readonly SourceLine[] => {
  let reading: BlockReading = noBlock;
  return texts.map((text, no) => {
    const { line, after } = readSourceLine(reading, text, no);
    reading = after;
    return line;
  });
};
