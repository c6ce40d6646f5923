import type { Fault, Parsed } from '../base/fault.ts';
import { memoise } from '../base/memoise.ts';
import {
  formatAnnotations,
  formatItem,
  markerOf,
  type ProgressLine,
  parseAnnotations,
  parseItemText,
} from './progress-line.ts';
import { type ProgressSection, type ProgressTextLine, walkProgress } from './progress-sections.ts';
import { formatRow, lineBreakOf, splitLines, tableRows } from './sections.ts';

/** `progress.md`: the only place with task status. */
export interface Progress {
  /** In the order of their last lines; the last line of an id wins. */
  readonly items: ReadonlyMap<string, ProgressItem>;
  /** The highest iteration in a heading, or `null`. */
  readonly iteration: number | null;
  readonly iterations: readonly IterationRow[];
}

interface ProgressItem extends ProgressLine {
  readonly section: ProgressSection;
  /** The iteration of the preceding heading, or `null`. */
  readonly sectionIteration: number | null;
  /** From 1. */
  readonly lineNumber: number;
}

/** A row of the table under `## Iterations`. */
export interface IterationRow {
  readonly iteration: number;
  readonly status: string;
  readonly tasks: string;
  readonly feedbacks: string;
}

/** Reads any known form of `progress.md`: CRLF, a byte order mark, any marker case, old headings. Never refuses. */
export const parseProgress = (text: string, file = 'progress.md'): Parsed<Progress> => {
  const items = new Map<string, ProgressItem>();
  const problems: Fault[] = [];
  let iteration: number | null = null;
  let table = '';
  for (const { line, index, section, number } of walkProgress(text)) {
    if (number !== null) iteration = Math.max(iteration ?? 0, number);
    if (section === 'iterations') table += `${line}\n`;
    const item = parseItemText(line);
    if (item === null || !belongs(item.id, section)) continue;
    const where = `${file}:${index + 1}`;
    if (item.status === null) {
      const what = `the marker of ${item.id} is not one of [ ] [/] [P] [x] [F] [C]`;
      problems.push({ code: 'progress-marker', what, where });
      continue;
    }
    const annotations = parseAnnotations(item.annotations ?? '');
    const before = items.get(item.id);
    if (before && before.sectionIteration === number) {
      const what = `${item.id} appears twice; this line counts, not line ${before.lineNumber}`;
      problems.push({ code: 'progress-twice', what, where });
    }
    const rest = item.rest.trim();
    items.delete(item.id);
    items.set(item.id, {
      id: item.id,
      status: item.status,
      ...annotations,
      notes: rest === '' ? annotations.notes : [...annotations.notes, rest],
      section,
      sectionIteration: number,
      lineNumber: index + 1,
    });
  }
  return { value: { items, iteration, iterations: parseTable(table) }, problems };
};

/** Outside the known sections a line with a checkbox is an item only when its first word is clearly a task id. */
const belongs = (id: string, section: ProgressSection): boolean => {
  if (section === 'legend' || section === 'iterations') return false;
  return section !== 'other' || /^(?:task|plan|qa)[-_.]/i.test(id);
};

const parseTable = (table: string): readonly IterationRow[] =>
  tableRows(table).flatMap(([first = '', status = '', tasks = '', feedbacks = '']) => {
    const number = /\d{1,6}/.exec(first);
    return number ? [{ iteration: Number(number[0]), status, tasks, feedbacks }] : [];
  });

/** The complete content of a new `progress.md`, and the target state of an existing one. */
export interface ProgressModel {
  readonly iteration: number;
  readonly planning: readonly ProgressLine[];
  readonly implementation: readonly ProgressLine[];
  readonly knowledge: readonly ProgressLine[];
  readonly iterations: readonly IterationRow[];
}

const legend = `- \`[ ]\` Not started
- \`[/]\` In progress
- \`[P]\` Pending review
- \`[x]\` Completed
- \`[F]\` Failed
- \`[C]\` Cancelled
`;

const tableHead = `${formatRow(['Iteration', 'Status', 'Tasks', 'Feedbacks'])}\n| --- | --- | --- | --- |`;

/** A new file; sections in the order of src/session/README.md. */
export const formatProgress = (model: ProgressModel): string => {
  const section = (kind: ItemSection, lines: readonly ProgressLine[]): string =>
    [`## ${headingOf(kind, model.iteration)}`, ...lines.map(itemText), ''].join('\n');
  return [
    '# Progress\n',
    `## Legend\n${legend}`,
    section('planning', model.planning),
    section('implementation', model.implementation),
    ...(model.knowledge.length === 0 ? [] : [section('knowledge', model.knowledge)]),
    `## Iterations\n${tableHead}\n${model.iterations.map(formatIteration).join('\n')}\n`,
  ].join('\n');
};

/** Most lines are the same objects as in the last write. */
const itemText = memoise((line: ProgressLine) => formatItem(line));

type ItemSection = 'planning' | 'implementation' | 'knowledge';

const headingOf = (section: ItemSection, iteration: number): string => {
  if (section === 'implementation') return `Implementation Progress (Iteration ${iteration})`;
  if (section === 'knowledge') return `Knowledge Progress (Iteration ${iteration})`;
  return `${iteration > 1 ? 'Replanning' : 'Planning'} Progress (Iteration ${iteration})`;
};

const formatIteration = (row: IterationRow): string =>
  formatRow([String(row.iteration), row.status, row.tasks, row.feedbacks]);

/**
 * Updates the file in place to the statuses of `model`. Touches only lines of changed items, and on those only the marker and the known
 * annotations; text added by people stays. `written` is our last version: removes a note of ours that the model no longer has, and keeps all
 * other notes. New items are appended to their section.
 */
export const editProgress = (text: string, model: ProgressModel, written: Progress | null = null): string => {
  const lineBreak = lineBreakOf(text);
  const lines = [...splitLines(text)];
  const walked = walkProgress(text);
  const lastLines = new Map<string, ProgressTextLine>();
  for (const entry of walked) {
    const item = parseItemText(entry.line);
    if (item && belongs(item.id, entry.section)) lastLines.set(item.id, entry);
  }
  const additions: { readonly section: ItemSection; readonly line: ProgressLine }[] = [];
  for (const section of ['planning', 'implementation', 'knowledge'] as const) {
    for (const line of model[section]) {
      const place = lastLines.get(line.id);
      if (!place) additions.push({ section, line });
      else {
        const raw = lines[place.index] ?? '';
        lines[place.index] = raw.replace(place.line, () => editLine(place.line, line, written));
      }
    }
  }
  editTable(lines, walked, model.iterations, lineBreak);
  const ends = insertAll(lines, walked, additions, model.iteration, lineBreak);
  return ends.join('');
};

/** Keeps foreign notes in place, adds and removes ours. Leaves a line untouched when it is already correct. */
const editLine = (line: string, wanted: ProgressLine, written: Progress | null): string => {
  const item = parseItemText(line);
  if (!item) return line;
  const now = parseAnnotations(item.annotations ?? '').notes;
  const old = new Set(written?.items.get(wanted.id)?.notes);
  // Unlike our notes, this one may contain a comma or a parenthesis: both forms of it are the same note.
  const inFile = parseAnnotations(formatAnnotations(wanted)).notes;
  const kept = now.filter((note) => !old.has(note) || wanted.notes.includes(note) || inFile.includes(note));
  const rest = item.rest.trim();
  const added = inFile.filter((note, index) => {
    const raw = wanted.notes[index] ?? note;
    return !kept.includes(note) && !kept.includes(raw) && raw.trim() !== rest;
  });
  const known = formatAnnotations({ ...wanted, notes: [] });
  const annotations = [known, ...kept, ...added].filter((part) => part !== '').join(', ');
  if (item.status === wanted.status && (item.annotations ?? '').trim() === annotations) return line;
  const parenthesis = annotations === '' ? '' : ` (${annotations})`;
  return `${item.indent}${markerOf(wanted.status)} ${item.id}${item.colon}${parenthesis}${item.rest}`;
};

const editTable = (
  lines: string[],
  walked: readonly ProgressTextLine[],
  rows: readonly IterationRow[],
  lineBreak: string,
): void => {
  const table = walked.filter(({ section, line }) => section === 'iterations' && line.trim().startsWith('|'));
  const last = table.at(-1);
  const missing: string[] = [];
  for (const row of rows) {
    const found = table.find(({ line }) => new RegExp(`^\\s*\\|\\s*${row.iteration}\\s*\\|`).test(line));
    if (found)
      lines[found.index] = (lines[found.index] ?? '').replace(found.line, () => formatIteration(row));
    else missing.push(formatIteration(row));
  }
  if (missing.length === 0) return;
  if (last)
    lines[last.index] =
      withEnd(lines[last.index] ?? '', lineBreak) + missing.map((row) => row + lineBreak).join('');
  else {
    const head = ['', '## Iterations', ...tableHead.split('\n'), ...missing].join(lineBreak);
    lines.push(`${lines.length > 0 ? ending(lines, lineBreak) : ''}${head}${lineBreak}`);
  }
};

/** Inserts new items after the last item of their section of this iteration, else after its heading, else in a new section. */
const insertAll = (
  lines: readonly string[],
  walked: readonly ProgressTextLine[],
  additions: readonly { readonly section: ItemSection; readonly line: ProgressLine }[],
  iteration: number,
  lineBreak: string,
): readonly string[] => {
  const result = [...lines];
  const extra: string[] = [];
  for (const section of ['planning', 'implementation', 'knowledge'] as const) {
    const wanted = additions
      .filter((addition) => addition.section === section)
      .map(({ line }) => formatItem(line));
    if (wanted.length === 0) continue;
    const own = walked.filter(
      (it) => it.section === section && (it.number === null || it.number === iteration),
    );
    const place = own.findLast(({ line }) => parseItemText(line) !== null) ?? own[0];
    if (place) {
      const before = withEnd(result[place.index] ?? '', lineBreak);
      result[place.index] = before + wanted.map((line) => line + lineBreak).join('');
    } else extra.push([`## ${headingOf(section, iteration)}`, ...wanted, '', ''].join(lineBreak));
  }
  if (extra.length === 0) return result;
  const table = walked.find(({ section }) => section === 'iterations');
  const at = table?.index ?? result.length;
  const before = result.slice(0, at);
  const gap = (before.at(-1) ?? '').trim() === '' ? '' : lineBreak;
  return [...before, ending(before, lineBreak), gap, ...extra, ...result.slice(at)];
};

const withEnd = (line: string, lineBreak: string): string => (/[\r\n]$/.test(line) ? line : line + lineBreak);

const ending = (lines: readonly string[], lineBreak: string): string => {
  const last = lines.at(-1);
  return last === undefined || /[\r\n]$/.test(last) ? '' : lineBreak;
};
