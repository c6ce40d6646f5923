import { type StyleRun, styledText } from './styled-text.ts';

/** A line that a command printed. */
export interface TextLine {
  readonly kind: 'text';
  readonly text: string;
  readonly styles?: readonly StyleRun[];
  /** Where it begins in the log file, where that is known. */
  readonly byte?: number;
}

/** The line as it is shown, and the colours in force behind it; `before` are those in force where it begins. */
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

/** Characters of one line kept: 157 MB in one line is somebody's progress bar. */
export const maxLineLength = 4_000;

/** So much of a raw line as is kept: of one that overwrites itself the last state. */
export const bounded = (line: string): string => {
  if (line.length <= maxLineLength) return line;
  const shown = line.slice(line.lastIndexOf('\r') + 1);
  return shown.length <= maxLineLength ? shown : shown.slice(0, maxLineLength);
};
