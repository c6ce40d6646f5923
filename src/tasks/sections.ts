import { fencesIn } from './markdown/fences.ts';

/** One part of a markdown text: a heading with everything up to the next heading of the same or a higher level. */
export interface Section {
  readonly title: string;
  /** The heading line with its line break, as written. */
  readonly heading: string;
  /** The text after the heading, with line breaks, as written. */
  readonly body: string;
  /** Line of the heading, from 1. */
  readonly line: number;
}

export interface Sections {
  /** The text before the first heading of the level. */
  readonly preamble: string;
  readonly sections: readonly Section[];
}

/**
 * Splits a markdown text at its headings of one level, byte for byte: preamble, headings and bodies joined restore the same text. Ignores headings inside closed code
 * fences. A higher heading ends a section and belongs to its body.
 */
export const splitSections = (text: string, level: number): Sections => {
  const lines = splitLines(text);
  const fences = fencesIn(lines);
  const marker = new RegExp(`^ {0,3}#{${level}}(?:[ \\t]+(.*))?$`);
  const cuts: { readonly index: number; readonly title: string }[] = [];
  lines.forEach((line, index) => {
    const title = fences[index] === 'fenced' ? undefined : marker.exec(bare(line));
    if (title) cuts.push({ index, title: (title[1] ?? '').replace(/[ \t]+#*[ \t]*$/, '').trim() });
  });
  const sections = cuts.map(({ index, title }, place) => ({
    title,
    heading: lines[index] ?? '',
    body: lines.slice(index + 1, cuts[place + 1]?.index).join(''),
    line: index + 1,
  }));
  return { preamble: lines.slice(0, cuts[0]?.index).join(''), sections };
};

/** Lines with their line breaks: joining them restores the text. */
export const splitLines = (text: string): readonly string[] =>
  text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];

/** A line without its line break. */
export const bare = (line: string): string => {
  let end = line.length;
  while (end > 0 && (line[end - 1] === '\n' || line[end - 1] === '\r')) end -= 1;
  return line.slice(0, end);
};

/** The line break of the first line, as the usual one of the text. */
export const lineBreakOf = (text: string): string => /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';

/** The section with this title, ignoring case. */
export const sectionOf = (sections: Sections, title: string): Section | undefined =>
  sections.sections.find((section) => section.title.toLowerCase() === title.toLowerCase());

/** Items of a list in a section: bullets or numbers. Drops a leading checkbox and joins continuation lines. */
export const bullets = (body: string): readonly string[] => {
  const items: string[] = [];
  for (const line of splitLines(body).map(bare)) {
    const item = /^\s{0,3}(?:[-*+]|\d{1,4}[.)])(?:\s+(.*))?$/.exec(line);
    if (item) items.push((item[1] ?? '').replace(/^\[[ \w/-]\]\s+/, '').trim());
    else if (/^\s+\S/.test(line) && items.length > 0) items.push(`${items.pop()} ${line.trim()}`.trim());
  }
  return items.filter((item) => item !== '');
};

/** The cells of a table's rows, without the header and its line of dashes. */
export const tableRows = (body: string): readonly (readonly string[])[] => {
  const rows = splitLines(body)
    .map((line) => bare(line).trim())
    .filter((line) => line.startsWith('|'))
    .map(cells);
  const dashes = rows.findIndex((row) => row.length > 0 && row.every((cell) => /^:?-+:?$/.test(cell)));
  return rows.slice(dashes + 1);
};

const cells = (line: string): readonly string[] =>
  line
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

/** One row of a table; a cell holds one line. */
export const formatRow = (row: readonly string[]): string =>
  `| ${row.map((cell) => cell.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim()).join(' | ')} |`;

/** Text on one line. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** A line that looks like a heading or a fence would split the section: it gets a backslash, as in markdown. */
export const escapeText = (text: string): string =>
  text.trim().replaceAll(/^( {0,3}\\*)(?=#|```|~~~)/gm, '$1\\');

/** Undoes `escapeText`. Every line break becomes `\n`. */
export const unescapeText = (text: string): string =>
  text
    .trim()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/^( {0,3}\\*)\\(?=#|```|~~~)/gm, '$1');
