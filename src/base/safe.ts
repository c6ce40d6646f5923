/**
 * Makes text from outside harmless for a terminal, a notification or a log line: no live control character, no escape sequence, no
 * character that is invisible or reorders its neighbours (test/README.md, hostile input; `strip-ansi` and Node's own function leave live bytes).
 * Linear in the length of the text: no alternative of the expressions can match the same characters in two ways.
 */

/** One line: line breaks and tabs become a space. */
export const safe = (text: string): string =>
  plain.test(text)
    ? text
    : text
        .toWellFormed()
        .replace(sequence, '')
        .replace(breaks, ' ')
        .replace(invisible, '')
        .replace(stray, '');

/**
 * A name as people can see it: unchanged, or in quotes when it is empty, has spaces at its ends, or contains characters that `safe` removes. Those
 * then appear as escapes. For a key with a carriage return, a plain "did you mean goal?" would explain nothing.
 */
export const visibleName = (name: string): string =>
  name !== '' && name.trim() === name && safe(name) === name
    ? name
    : JSON.stringify(name.toWellFormed()).replace(/[^\x20-\x7e]/gu, visibleLetter);

/**
 * The lines of a text that a person is asked to approve, with nothing left out. `safe` drops an escape sequence with its content, but a shell would
 * still run it. Every character beyond printable ASCII appears as an escape.
 */
export const visibleLines = (text: string): readonly string[] =>
  text.split('\n').map((line) => line.replaceAll('\t', ' ').replace(/[^\x20-\x7e]/gu, visibleLetter));

/**
 * One line, like `safe`, with a mark for each character that `safe` leaves out: `\u202e`, and `\xe9` for a byte that is not UTF-8. For text that a
 * person judges, such as a diff.
 */
export const marked = (text: string): string =>
  plain.test(text)
    ? text
    : text
        .replaceAll('\t', ' ')
        .replace(rawByte, (byte) => `\\x${(byte.charCodeAt(0) - 0xdc00).toString(16)}`)
        .toWellFormed()
        .replace(invisible, escaped)
        .replace(stray, escaped);

/**
 * A value as one line of JSON that leaves a terminal alone: each character that `safe` removes appears as an escape, so that a program reads the same
 * value. JSON itself leaves C1 controls and bidirectional overrides as they are.
 */
export const safeJson = (value: unknown): string =>
  JSON.stringify(value).replace(invisible, jsonEscaped).replace(stray, jsonEscaped);

const jsonEscaped = (letter: string): string =>
  letter
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** A byte that is not UTF-8, as in `Disk`: with the `u` flag, never half of a pair. */
const rawByte = /[\udc80-\udcff]/gu;

const escaped = (letter: string): string =>
  `\\u${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;

const visibleLetter = (letter: string): string => (safe(letter) === letter ? letter : escaped(letter));

/** Several lines: `\n` and `\t` stay, other line breaks become `\n`. */
export const safeBlock = (text: string): string =>
  plainBlock.test(text)
    ? text
    : text
        .toWellFormed()
        .replace(sequence, '')
        .replace(foreignBreaks, '\n')
        .replace(invisible, keepLayout)
        .replace(stray, '');

/**
 * Program output: like `safeBlock`, but applies carriage returns, backspaces and "erase line", so that a progress bar keeps only its last
 * state. With `keepColours` plain SGR sequences (`ESC[` digits and semicolons `m`) survive; each line then ends with a reset.
 */
export const safeOutput = (text: string, options: { readonly keepColours?: boolean } = {}): string => {
  if (!rewrites.test(text)) return safeBlock(text);
  const painter: Painter = { style: [], colours: options.keepColours === true };
  return text
    .toWellFormed()
    .split(/\r?\n/)
    .map((line) => paintLine(painter, line))
    .join('\n');
};

const plain = /^[\x20-\x7e]*$/;
const plainBlock = /^[\t\n\x20-\x7e]*$/;
const rewrites = /[\r\b\x1b\x9b]/;

/**
 * An escape sequence, whole or cut off: a string (OSC, DCS, APC, PM, SOS; ended by BEL, ST, the end of the line, or a byte that aborts it in a
 * terminal), a control sequence (CSI), or any other ESC with its parameters. An unterminated string swallows its line, not the rest of the
 * text, so that one stray byte cannot hide a whole log.
 */
const sequence =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x18\x1a\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g;

const breaks = /\r\n|[\t\n\v\f\r\x85\u2028\u2029]/g;
const foreignBreaks = /\r\n|[\v\f\r\x85\u2028\u2029]/g;

/** Controls, bidirectional overrides and isolates, zero-width and blank-looking formatting characters, tags, variation selectors. */
const invisible =
  /[\x00-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\u034f|[\u17b4\u17b5]|[\u180b-\u180d\u180f]|[\ufe00-\ufe0e]/gu;

/** The joiner and the emoji selector stay only where an emoji needs them: between two, and after one. */
const stray =
  /(?<!(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})\ufe0f?)\u200d|\u200d(?!\p{Extended_Pictographic})|(?<!\p{Emoji})\ufe0f/gu;

const keepLayout = (character: string): string => (character === '\n' || character === '\t' ? character : '');

interface Painter {
  /** The SGR sequences since the last reset, carried from line to line as in a terminal. */
  style: readonly string[];
  readonly colours: boolean;
}

interface Cell {
  readonly text: string;
  readonly style: string;
}

/** More stacked attributes than any program sets. The bound keeps hostile input linear. */
const deepestStyle = 8;
const colour = /^\x1b\[([0-9;]{0,32})m$/;
const moves = /[\r\x08]|(?:\x1b\[|\x9b)[02]?K/;
const eraseLine = /^(?:\x1b\[|\x9b)([02]?)K$/;
const joins = /^(?:\p{M}|\p{Emoji_Modifier}|\u200d)$/u;
const token = new RegExp(`(${sequence.source})|[^]`, 'gu');

const paintLine = (painter: Painter, line: string): string => {
  if (moves.test(line)) return drawn(moved(painter, line));
  if (!painter.colours || (painter.style.length === 0 && !rewrites.test(line))) return safeBlock(line);
  return drawn(coloured(painter, line));
};

/** A line without cursor movement: works on pieces of one style instead of single characters. */
const coloured = (painter: Painter, line: string): Cell[] => {
  const cells: Cell[] = [];
  let from = 0;
  for (const match of line.matchAll(sequence)) {
    cells.push({ text: line.slice(from, match.index), style: painter.style.join('') });
    if (colour.test(match[0])) painter.style = styled(painter, match[0]);
    from = match.index + match[0].length;
  }
  return [...cells, { text: line.slice(from), style: painter.style.join('') }];
};

const moved = (painter: Painter, line: string): Cell[] => {
  const cells: Cell[] = [];
  let column = 0;
  for (const [part, whole] of line.matchAll(token)) {
    const erase = eraseLine.exec(part);
    if (part === '\r') column = 0;
    else if (part === '\b') column = Math.max(0, column - 1);
    else if (erase) {
      // Erasing a whole line precedes a rewrite: continue at its start, where a terminal would stay in the middle of the blank line.
      if (erase[1] === '2') column = 0;
      cells.length = Math.min(cells.length, column);
    } else if (colour.test(part)) painter.style = styled(painter, part);
    else if (whole !== undefined) continue;
    else if (joins.test(part) && column > 0) cells[column - 1] = joined(cells[column - 1], part);
    else {
      cells[column] = { text: part, style: painter.style.join('') };
      column += 1;
    }
  }
  return cells;
};

const styled = (painter: Painter, part: string): readonly string[] => {
  if (!painter.colours || /^\x1b\[0*m$/.test(part)) return [];
  const base = /^\x1b\[0*;/.test(part) ? [] : painter.style;
  return [...base, part].slice(-deepestStyle);
};

const joined = (cell: Cell | undefined, mark: string): Cell => ({
  text: `${cell?.text ?? ''}${mark}`,
  style: cell?.style ?? '',
});

const drawn = (cells: readonly Cell[]): string => {
  let out = '';
  let run = '';
  let style = '';
  for (const cell of cells) {
    if (cell.style !== style) {
      out += `${safeBlock(run)}${style === '' ? '' : '\x1b[0m'}${cell.style}`;
      run = '';
      style = cell.style;
    }
    run += cell.text;
  }
  return `${out}${safeBlock(run)}${style === '' ? '' : '\x1b[0m'}`;
};
