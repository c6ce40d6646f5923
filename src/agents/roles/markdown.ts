import { formatRow } from '../../tasks/sections.ts';

/** Foreign text as one line of a document: no line break can start a heading. */
export const oneLine = (text: string): string => text.replace(/[\s\0]+/gu, ' ').trim();

/** A bulleted list, or `none` if it is empty. */
export const bulletList = (lines: readonly string[], none: string): string =>
  lines.length === 0 ? none : lines.map((line) => `- ${oneLine(line)}`).join('\n');

/** A Markdown table. Every cell becomes one line. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(formatRow).join('\n');

/** "1 command", "2 commands". */
export const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? '' : 's'}`;
