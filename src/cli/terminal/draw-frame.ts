import type { DOMElement } from 'ink';
import { memoiseLast } from '../../base/memoise.ts';
import { type Piece, pieceOf, rowOf } from './frame-row.ts';

/** The result of Ink's own renderer for a tree. */
interface Frame {
  /** The rows, each ending in the terminal's default style. */
  readonly output: string;
  readonly outputHeight: number;
  readonly staticOutput: string;
}

/**
 * Draws Ink's tree as a frame of text. The build puts this in the place of Ink's own renderer (`renderer.js`),
 * which makes a cell of every character again for each frame: 13 of 18 ms at 200 × 50, and most of the garbage.
 * Here a row with unchanged pieces keeps its string. A row whose pieces do not overlap is joined without
 * looking at its characters. Draws only what our components use: boxes that place lines of text, styled by
 * their own SGR sequences. Ink's borders, backgrounds and colours are not drawn. A test draws every golden
 * screen with both and compares the cells.
 */
export const drawFrame = (root: DOMElement): Frame => {
  const { yogaNode } = root;
  if (!yogaNode) return { output: '', outputHeight: 0, staticOutput: '' };
  const [width, height] = [yogaNode.getComputedWidth(), yogaNode.getComputedHeight()];
  const places: Placed[][] = Array.from({ length: height }, () => []);
  place(root, 0, 0, places);
  const { rows } = rowsOf(root, { width, places });
  return { output: rows.map((row) => row.text).join('\n'), outputHeight: height, staticOutput: '' };
};

/** A piece and its first column. */
interface Placed {
  readonly x: number;
  readonly piece: Piece;
}

interface Rows {
  readonly width: number;
  readonly rows: readonly Row[];
}

interface Row {
  readonly pieces: readonly Placed[];
  readonly text: string;
}

const equal = (one: readonly Placed[], other: readonly Placed[]): boolean =>
  one.length === other.length &&
  one.every((placed, index) => placed.piece === other[index]?.piece && placed.x === other[index]?.x);

interface Painting {
  readonly width: number;
  readonly places: readonly (readonly Placed[])[];
}

/** Unchanged rows keep the strings of the frame before. */
const rowsOf = memoiseLast(
  () => false,
  (_root: DOMElement, { width, places }: Painting, before: Rows | null): Rows => {
    const old = before?.width === width ? before.rows : [];
    const rows = places.map((pieces, y) => {
      const same = old[y];
      return same && equal(same.pieces, pieces) ? same : { pieces, text: rowOf(pieces, width) };
    });
    return { width, rows };
  },
);

/** Adds each text under `node` to its rows, in the order of painting. */
const place = (node: DOMElement, left: number, top: number, rows: readonly Placed[][]): void => {
  const { yogaNode } = node;
  if (!yogaNode) return;
  const x = left + yogaNode.getComputedLeft();
  const y = top + yogaNode.getComputedTop();
  if (node.nodeName === 'ink-text') {
    for (const [index, piece] of piecesIn(node, yogaNode.getComputedWidth()).entries())
      rows[y + index]?.push({ x, piece });
    return;
  }
  for (const child of node.childNodes) if (child.nodeName !== '#text') place(child, x, y, rows);
};

interface Content {
  readonly text: string;
  /** Columns. */
  readonly room: number;
}

const piecesIn = (node: DOMElement, room: number): readonly Piece[] => {
  const text = node.childNodes.reduce(
    (whole, child) => (child.nodeName === '#text' ? whole + child.nodeValue : whole),
    '',
  );
  return piecesOf(node, { text, room });
};

const piecesOf = memoiseLast(
  (one: Content, other: Content) => one.text === other.text && one.room === other.room,
  (_node: DOMElement, { text, room }: Content): readonly Piece[] =>
    text.split('\n').map((line) => pieceOf(line, room)),
);
