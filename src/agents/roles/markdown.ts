import type { Criterion } from './answers.ts';

/** Text from outside as one line of a document: no line break that could start a heading, no pipe that could end a cell. */
export const cell = (text: string): string =>
  text
    .replace(/[\s\0]+/gu, ' ')
    .replaceAll('|', '\\|')
    .trim();

/** An H3 with its body. */
export const section = (heading: string, body: string): string => `### ${heading}\n\n${body}`;

/** A bulleted list, or `none` where there is nothing to say. */
export const bullets = (lines: readonly string[], none: string): string =>
  lines.length === 0 ? none : lines.map((line) => `- ${cell(line)}`).join('\n');

/** A markdown table; every cell is made one line. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

const words = { met: 'Met', 'not met': 'Not met', 'not checked': 'Not checked' } as const;

/** Criterion, Status, Evidence (session-format.md, Report). */
export const criteriaTable = (criteria: readonly Criterion[]): string =>
  criteria.length === 0
    ? 'The task states no criteria.'
    : table(
        ['Criterion', 'Status', 'Evidence'],
        criteria.map((one) => [one.criterion, words[one.status], one.evidence]),
      );
