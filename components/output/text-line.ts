import type { SourceLine } from '../../src/words/markdown/block-reading.ts';
import { type StyleRun, styledText } from '../../src/words/styled-text.ts';

/** A line of a command's output, or of an agent's words. */
export interface TextLine {
  readonly kind: 'text';
  readonly text: string;
  readonly styles?: readonly StyleRun[];
  /** First byte of the line in the log file, if known. */
  readonly byte?: number;
  /** Of an agent's words: they are Markdown. */
  readonly said?: SourceLine;
}

/** The line as shown, and the colours in force after it. `before` are the colours in force at its start. */
export const textLine = (
  raw: string,
  before: string,
  byte: number | null,
): { readonly line: TextLine; readonly codes: string } => {
  const { text, styles, codes } = styledText(raw, before);
  const line = {
    kind: 'text',
    text,
    ...(styles.length === 0 ? {} : { styles }),
    ...(byte === null ? {} : { byte }),
  } as const;
  return { line, codes };
};

/** Characters kept of one line. A progress bar can print 157 MB in one line. */
export const maxLineLength = 4_000;
/** Of these, the characters kept of its beginning. The rest is its end, which is the newest of a line that still grows. */
const keptStart = 1_000;
const between = ' … ';

/** The kept part of a raw line: its beginning and its end. Of a line that overwrites itself, the last state. */
export const bounded = (line: string): string => {
  if (line.length <= maxLineLength) return line;
  const shown = line.slice(line.lastIndexOf('\r') + 1);
  return shown.length <= maxLineLength
    ? shown
    : `${shown.slice(0, keptStart)}${between}${shown.slice(keptStart + between.length - maxLineLength)}`;
};
