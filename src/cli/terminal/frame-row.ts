import { graphemesOf, isPlain, sgr, widthOf, withoutStyles } from '../../words/width.ts';

/** One line of text with its styles as SGR sequences, measured once. */
export interface Piece {
  readonly text: string;
  /** Width in cells. */
  readonly width: number;
}

/** `text` in at most `room` cells. Removes everything that is neither text nor an SGR sequence, and cuts what is too wide. */
export const pieceOf = (text: string, room: number): Piece => {
  const bare = withoutStyles(text);
  const width = widthOf(bare);
  const clean = width <= room && !control.test(bare);
  if (clean) return { text: endsPlain(text) ? text : text + reset, width };
  const cells = cellsOf(text);
  const kept = cells.length <= room ? cells : cutTo(cells, room);
  return { text: textOf(kept), width: kept.length };
};

/** Joins the pieces of a row in `width` cells, later ones over earlier ones. Drops trailing blanks. */
export const rowOf = (
  pieces: readonly { readonly x: number; readonly piece: Piece }[],
  width: number,
): string => {
  let text = '';
  let at = 0;
  for (const { x, piece } of pieces) {
    if (x < at || x + piece.width > width) return overlaid(pieces, width);
    text += ' '.repeat(x - at) + piece.text;
    at = x + piece.width;
  }
  return text.trimEnd();
};

const esc = '\u001b';
const reset = `${esc}[0m`;
/** Characters that must not reach the terminal. */
const control = /[\u0000-\u001f\u007f-\u009f]/;

/** Whether text after it has the terminal's default style. */
const endsPlain = (text: string): boolean => text.endsWith(reset) || !text.includes(esc);

/** One cell; the second cell of a wide character is empty. */
export interface Cell {
  readonly sign: string;
  /** The sequences in force since the last reset. */
  readonly style: string;
}

const blank: Cell = { sign: ' ', style: '' };

const overlaid = (
  pieces: readonly { readonly x: number; readonly piece: Piece }[],
  width: number,
): string => {
  const cells: Cell[] = Array.from({ length: width }, () => blank);
  for (const { x, piece } of pieces) {
    const over = cellsOf(piece.text);
    halve(cells, x - 1, x);
    over.forEach((cell, index) => {
      // Keeps one cell beyond the width: it shows whether the last cell is half of a wide character.
      if (x + index >= 0 && x + index <= width) cells[x + index] = cell;
    });
    halve(cells, x + over.length, x + over.length);
  }
  return textOf(cutTo(cells, width)).trimEnd();
};

/** Where a piece begins or ends within a wide character, the remaining half becomes a blank. */
const halve = (cells: Cell[], kept: number, second: number): void => {
  const cell = cells[kept];
  if (cell && cells[second]?.sign === '') cells[kept] = { ...cell, sign: ' ' };
};

const cutTo = (cells: readonly Cell[], width: number): readonly Cell[] => {
  const last = cells[width - 1];
  const cut =
    cells[width]?.sign === '' && last ? [...cells.slice(0, width - 1), { ...last, sign: ' ' }] : null;
  return cut ?? cells.slice(0, Math.max(0, width));
};

/** The cells of a row. */
export const cellsOf = (text: string): readonly Cell[] => {
  const cells: Cell[] = [];
  let style = '';
  let from = 0;
  for (const found of text.matchAll(sgr)) {
    signsInto(cells, text.slice(from, found.index), style);
    const [code] = found;
    style = code === reset || code === `${esc}[m` ? '' : style + code;
    from = found.index + code.length;
  }
  signsInto(cells, text.slice(from), style);
  return cells;
};

const signsInto = (cells: Cell[], text: string, style: string): void => {
  if (isPlain(text)) {
    for (const sign of text) cells.push({ sign, style });
    return;
  }
  for (const sign of graphemesOf(text)) {
    if (control.test(sign)) continue;
    const wide = widthOf(sign);
    const before = cells.at(-1);
    if (wide > 0)
      cells.push({ sign, style }, ...Array.from({ length: wide - 1 }, () => ({ sign: '', style })));
    else if (before) cells[cells.length - 1] = { ...before, sign: before.sign + sign };
  }
};

const textOf = (cells: readonly Cell[]): string => {
  let text = '';
  let style = '';
  for (const cell of cells) {
    if (cell.style !== style && cell.sign !== '') {
      text += (style === '' ? '' : reset) + cell.style;
      style = cell.style;
    }
    text += cell.sign;
  }
  return style === '' ? text : text + reset;
};
