import { wrap } from '../../src/words/width.ts';

/** Columns of the widest window of text. */
const widest = 100;

/** Columns of a window of text. */
export const windowWidth = (columns: number): number => Math.min(widest, columns - 4);

/** A row of a window of text. A heading is over each part. */
interface WindowRow {
  readonly text: string;
  readonly isHeading: boolean;
}

/** Lines as rows of the window: indented ones belong to the heading above. Further rows of a long line are below its first word. */
export const windowRows = (lines: readonly string[], columns: number): readonly WindowRow[] =>
  lines.flatMap((line): readonly WindowRow[] => {
    const room = windowWidth(columns) - 4;
    if (line === '' || !line.startsWith(' ')) return [{ text: line, isHeading: true }];
    return wrap(line.trimStart(), room - 2).map((text, index) => ({
      text: `${index === 0 ? '  ' : '    '}${text}`,
      isHeading: false,
    }));
  });
