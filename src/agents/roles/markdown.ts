import { formatRow } from '../../tasks/sections.ts';

/** Text from outside as one line of a document: no line break that could start a heading. */
export const oneLine = (text: string): string => text.replace(/[\s\0]+/gu, ' ').trim();

/** A bulleted list, or `none` where there is nothing to say. */
export const bulletList = (lines: readonly string[], none: string): string =>
  lines.length === 0 ? none : lines.map((line) => `- ${oneLine(line)}`).join('\n');

/** A markdown table; every cell is made one line. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(formatRow).join('\n');

/** "1 command", "2 commands". */
export const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? '' : 's'}`;
