import { wrap } from '../../words/width.ts';
import type { StatisticsOverlay } from '../overlay.ts';

/** Columns of the widest window of numbers. */
const widest = 100;

/** Columns of the window of numbers. */
export const statisticsWidth = (columns: number): number => Math.min(widest, columns - 4);

/** A row of the window of numbers. A heading stands over each part. */
interface StatisticsRow {
  readonly text: string;
  readonly isHeading: boolean;
}

/** The lines as rows of the window. Further rows of a long line stand below its first word. */
export const statisticsRows = ({ lines }: StatisticsOverlay, columns: number): readonly StatisticsRow[] =>
  lines.flatMap((line): readonly StatisticsRow[] => {
    const room = statisticsWidth(columns) - 4;
    if (line === '' || !line.startsWith(' ')) return [{ text: line, isHeading: true }];
    return wrap(line.trimStart(), room - 2).map((text, index) => ({
      text: `${index === 0 ? '  ' : '    '}${text}`,
      isHeading: false,
    }));
  });
