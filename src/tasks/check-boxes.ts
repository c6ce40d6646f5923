import { columnOf, fencesIn } from './markdown/fences.ts';
import { bare, splitLines } from './sections.ts';

/** One box of a checklist, wherever people write them (src/discovery/README.md, Boxes). */
export interface CheckBox {
  /** Whether it is plainly ticked. Every other box is open, whatever its mark. */
  readonly done: boolean;
  /** The text after it. */
  readonly text: string;
  /** Whether it begins its line, after the signs of a list or a quote. Others are in a heading, a table, or at the end of a line. */
  readonly leads: boolean;
  /** Behind a code fence that is never closed: perhaps an example. */
  readonly doubtful: boolean;
  /** Of the line, from 0. */
  readonly line: number;
  /** Columns of white space before its line's first sign. */
  readonly indent: number;
  /** What a tick replaces: offset and text of the mark. */
  readonly at: number;
  readonly mark: string;
}

/** All boxes of a Markdown text, in order. What stands in a closed code fence or in a comment is an example. */
export const checkBoxes = (text: string): readonly CheckBox[] => {
  const lines = splitLines(text);
  const fences = fencesIn(lines);
  const hidden = commentsIn(lines);
  const boxes: CheckBox[] = [];
  let offset = 0;
  for (const [line, raw] of lines.entries()) {
    if (fences[line] !== 'fenced' && !hidden.has(line)) {
      const words = bare(raw);
      const [space = ''] = /^[ \t]*/.exec(words) ?? [];
      const place = { line, indent: columnOf(space), doubtful: fences[line] === 'unclosed' };
      for (const { from, ...box } of boxesOfLine(words)) boxes.push({ ...box, ...place, at: offset + from });
    }
    offset += raw.length;
  }
  return boxes;
};

/** The text in which each box is ticked or open as wanted. One that already is keeps its mark: `[-]` says open too. */
export const withTicks = (text: string, wanted: (box: CheckBox) => boolean): string => {
  let out = '';
  let done = 0;
  for (const box of checkBoxes(text)) {
    const isTicked = wanted(box);
    if (isTicked === box.done) continue;
    out += text.slice(done, box.at) + markFor(box.mark, isTicked);
    done = box.at + box.mark.length;
  }
  return out + text.slice(done);
};

const markFor = (mark: string, done: boolean): string => {
  if (!signs.test(mark)) return done ? 'x' : ' ';
  if (mark === '⬜' || mark === '✅') return done ? '✅' : '⬜';
  return done ? '☑' : '☐';
};

type LineBox = Pick<CheckBox, 'done' | 'text' | 'leads' | 'mark'> & { readonly from: number };

const boxesOfLine = (line: string): readonly LineBox[] => {
  const [before = ''] =
    /^(?:[ \t>]|(?:[-*+•◦‣–—]|\(?[0-9A-Za-z][0-9A-Za-z.]{0,8}[.)])[ \t])*/.exec(line) ?? [];
  const first = boxAt(line, before.length, true);
  if (first !== null) return [first];
  if (line.startsWith('|', before.length)) return cellBoxes(line, before.length);
  const [heading = ''] = /^#{1,6}[ \t]+/.exec(line.slice(before.length)) ?? [];
  const titled = heading === '' ? null : boxAt(line, before.length + heading.length, false);
  if (titled !== null) return [titled];
  const last = /[ \t](?:\[[ xX~/-]?\]|[☐☑])[ \t]*$/u.exec(line);
  const trailing = last === null ? null : boxAt(line, last.index + 1, false);
  return trailing === null ? [] : [{ ...trailing, text: line.slice(before.length, last?.index).trim() }];
};

const cellBoxes = (line: string, from: number): readonly LineBox[] =>
  [...line.matchAll(/\|[ \t]*/g)].flatMap(({ 0: bar, index }) =>
    index < from ? [] : (boxAt(line, index + bar.length, false) ?? []),
  );

/** Emphasis may begin before a box; editors put backslashes before its brackets. */
const bracketed = /((?:\*\*|__|~~)?\\?\[)([^[\]\\]{0,8})\\?\](.?)/suy;
const sign = /((?:\*\*|__|~~)?)([☐☑☒🗹🗷🗵⬜◻□▢🔲✅✔])\uFE0F?(?=[ \t]|$)/uy;
const signs = /^[☐☑☒🗹🗷🗵⬜◻□▢🔲✅✔]$/u;
const ticks: ReadonlySet<string> = new Set(['x', 'X', '✓', '✔', '✅', '☑', '🗹']);

const boxAt = (line: string, from: number, leads: boolean): LineBox | null => {
  const [whole = '', before = '', mark = '', after = ''] = matchAt(bracketed, line, from) ?? [];
  if (whole !== '') {
    if (!isMark(mark.trim(), after)) return null;
    const text = line.slice(from + whole.length - after.length).trim();
    return { leads, mark, text, from: from + before.length, done: ticks.has(plain(mark)) };
  }
  const drawn = matchAt(sign, line, from);
  if (drawn === null) return null;
  const [all, emphasis = '', drawing = ''] = drawn;
  const text = line.slice(from + all.length).trim();
  return { leads, mark: drawing, text, from: from + emphasis.length, done: ticks.has(drawing) };
};

const matchAt = (pattern: RegExp, line: string, from: number): RegExpExecArray | null => {
  pattern.lastIndex = from;
  return pattern.exec(line);
};

const plain = (mark: string): string => mark.trim().replace('\uFE0F', '');

/** Whether brackets with this mark are a box, and no link, footnote, citation or label. */
const isMark = (mark: string, after: string): boolean => {
  if (after === '(' || after === '[' || after === ':') return false;
  const one = plain(mark);
  if (one === '' || ticks.has(one)) return true;
  if (/^[^\p{L}\p{N}]{1,3}$/u.test(one)) return one !== '…' && one !== '...';
  return /^\p{L}$/u.test(one) && /^\s?$/.test(after);
};

/** The lines of comments that are closed. */
const commentsIn = (lines: readonly string[]): ReadonlySet<number> => {
  const hidden = new Set<number>();
  let open: number | null = null;
  for (const [at, line] of lines.entries()) {
    if (open === null && /^[ \t]*<!--/.test(line)) open = at;
    if (open === null || !line.includes('-->')) continue;
    for (let inside = open; inside <= at; inside += 1) hidden.add(inside);
    open = null;
  }
  return hidden;
};
