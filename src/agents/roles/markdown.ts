import { formatRow } from '../../tasks/sections.ts';
import type { Criterion } from './answers.ts';

/** Text from outside as one line of a document: no line break that could start a heading. */
export const oneLine = (text: string): string => text.replace(/[\s\0]+/gu, ' ').trim();

/** An H3 with its body. */
export const section = (heading: string, body: string): string => `### ${heading}\n\n${body}`;

/** A bulleted list, or `none` where there is nothing to say. */
export const bulletList = (lines: readonly string[], none: string): string =>
  lines.length === 0 ? none : lines.map((line) => `- ${oneLine(line)}`).join('\n');

/** A markdown table; every cell is made one line. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(formatRow).join('\n');

const words = { met: 'Met', 'not met': 'Not met', 'not checked': 'Not checked' } as const;

/** Criterion, Status, Evidence (session-format.md, Report). */
export const criteriaTable = (criteria: readonly Criterion[]): string =>
  criteria.length === 0
    ? 'The task states no criteria.'
    : table(
        ['Criterion', 'Status', 'Evidence'],
        criteria.map((one) => [one.criterion, words[one.status], one.evidence]),
      );
