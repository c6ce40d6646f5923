import type { TaskStatus } from './task.ts';

/** One item of `progress.md` with the fields of its line (src/session/README.md, progress.md). */
export interface ProgressLine {
  readonly id: string;
  readonly status: TaskStatus;
  readonly attempt?: number;
  readonly iteration?: number;
  readonly started?: string;
  readonly completed?: string;
  readonly qualified?: string;
  readonly failed?: string;
  readonly reset?: string;
  readonly reviewPending?: boolean;
  readonly owner?: string;
  /** Free text: reasons, and notes by people. */
  readonly notes: readonly string[];
}

const stamps = ['started', 'completed', 'qualified', 'failed', 'reset'] as const;

const statusOf: Readonly<Record<string, TaskStatus>> = {
  ' ': 'open',
  '/': 'running',
  P: 'review',
  X: 'done',
  F: 'failed',
  C: 'cancelled',
};

const markers: Readonly<Record<TaskStatus, string>> = {
  open: ' ',
  running: '/',
  review: 'P',
  done: 'x',
  failed: 'F',
  cancelled: 'C',
};

/** The marker of a status, with its brackets. */
export const markerOf = (status: TaskStatus): string => `[${markers[status]}]`;

/** A line cut into its parts as written; `null` when it is not an item. `status` is `null` for an unknown marker. */
interface ItemText {
  readonly indent: string;
  readonly id: string;
  readonly status: TaskStatus | null;
  /** The text between the id and the parenthesis: a colon, usually empty. */
  readonly colon: string;
  /** Inside the parenthesis, or `null` without one. */
  readonly annotations: string | null;
  /** After the parenthesis. */
  readonly rest: string;
}

const itemPattern = /^(\s*[-*]\s+)\[([^\]])\]\s+([A-Za-z][\w.-]*)(:?)(?=\s|$)(.*)$/;

/** Lines longer than this are text, not items. */
const longest = 4096;

export const parseItemText = (line: string): ItemText | null => {
  if (line.length > longest) return null;
  const match = itemPattern.exec(line);
  if (!match) return null;
  const [, indent = '', mark = '', id = '', colon = '', tail = ''] = match;
  const end = tail.trimStart().startsWith('(') ? closing(tail) : -1;
  const start = tail.indexOf('(') + 1;
  return {
    indent,
    id,
    status: statusOf[mark.toUpperCase()] ?? null,
    colon,
    annotations: end < 0 ? null : tail.slice(start, end),
    rest: (end < 0 ? tail : tail.slice(end + 1)).trimEnd(),
  };
};

/** The position of the parenthesis that closes the first one, counting nested pairs. Unbalanced lines use their last parenthesis. */
const closing = (text: string): number => {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '(') depth += 1;
    else if (text[index] === ')') depth -= 1;
    if (depth === 0 && text[index] === ')') return index;
  }
  return text.lastIndexOf(')');
};

/** The annotations of an item: a comma list of known ones and free text. */
export const parseAnnotations = (text: string): Omit<ProgressLine, 'id' | 'status'> => {
  const known: { -readonly [K in keyof ProgressLine]?: ProgressLine[K] } = {};
  const notes: string[] = [];
  for (const part of splitOutside(text)) {
    const number = /^(attempt|iteration)\s*[:#]?\s*(\d{1,6})$/i.exec(part);
    const stamp = /^(started|completed|qualified|failed|reset|owner)\s*:\s*(.+)$/i.exec(part);
    const key = (number ?? stamp)?.[1]?.toLowerCase();
    if (key === 'attempt' || key === 'iteration') known[key] = Number(number?.[2]);
    else if (key === 'owner') known.owner = stamp?.[2] ?? '';
    else if (/^review[- ]pending$/i.test(part)) known.reviewPending = true;
    else {
      const name = stamps.find((it) => it === key);
      if (name) known[name] = stamp?.[2] ?? '';
      else notes.push(part);
    }
  }
  return { ...known, notes };
};

const splitOutside = (text: string): readonly string[] => {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let index = 0; index <= text.length; index += 1) {
    const letter = text[index];
    if (letter === '(') depth += 1;
    else if (letter === ')') depth -= 1;
    else if (index === text.length || (letter === ',' && depth <= 0)) {
      parts.push(text.slice(from, index).trim());
      from = index + 1;
    }
  }
  return parts.filter((part) => part !== '');
};

/** The parenthesis of an item without its brackets; '' without annotations. */
export const formatAnnotations = (line: Omit<ProgressLine, 'id' | 'status'>): string =>
  [
    line.attempt === undefined ? '' : `Attempt ${line.attempt}`,
    line.iteration === undefined ? '' : `Iteration ${line.iteration}`,
    ...stamps.map((name) => (line[name] === undefined ? '' : `${name}: ${note(line[name])}`)),
    line.reviewPending ? 'review-pending' : '',
    line.owner === undefined ? '' : `owner: ${note(line.owner)}`,
    ...line.notes.map(note),
  ]
    .filter((part) => part !== '')
    .join(', ');

/** Free text on one line. Replaces characters that would end the list or the parenthesis. */
const note = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/,(?=\s|$)/g, ';')
    .replaceAll(',', ';')
    .replaceAll('(', '[')
    .replaceAll(')', ']')
    .trim()
    .slice(0, 500);

export const formatItem = (line: ProgressLine, indent = '- '): string => {
  const annotations = formatAnnotations(line);
  return `${indent}${markerOf(line.status)} ${line.id}${annotations === '' ? '' : ` (${annotations})`}`;
};
