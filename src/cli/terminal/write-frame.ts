import { caretCodes } from '../../words/caret.ts';
import { widthOf, withoutStyles } from '../../words/width.ts';
import { changedCells } from './changed-cells.ts';

/** The part of a terminal that frames are written to. */
interface Screen {
  readonly columns?: number;
  readonly rows?: number;
  readonly write: (text: string) => unknown;
}

/** A place of Ink's `useCursor`, which no component here uses. */
type Position = { readonly x: number; readonly y: number } | undefined;

/** Writes frames; what Ink expects of its own `log-update.js`. */
interface FrameWriter {
  (frame: string): boolean;
  readonly clear: () => void;
  readonly done: () => void;
  readonly reset: () => void;
  /** Takes a frame that Ink wrote itself as the one on screen. */
  readonly sync: (frame: string) => void;
  readonly setCursorPosition: (position: Position) => void;
  readonly isCursorDirty: () => boolean;
  readonly willRender: (frame: string) => boolean;
  readonly getCursorPosition: () => Position;
}

/**
 * Writes only the cells that changed, each run at its absolute place. The build puts this in the place of Ink's own writer
 * (`log-update.js`), which erases and writes the whole frame: 4.9 kB for a clock that ticks. It holds for the alternate screen, where a
 * frame begins at the first row. A terminal of another size, and one that another program had, gets the whole frame. Where one types, the
 * terminal's own cursor is shown, because input methods open their window there; elsewhere it is hidden.
 */
export const createFrameWriter = (stream: Screen): FrameWriter => {
  let before: readonly string[] | null = null;
  let last = '';
  let size = '';
  /** The place of the visible cursor; '' while it is hidden, `null` where another program may have changed it. */
  let cursor: string | null = null;
  const sizeNow = (): string => `${stream.columns}x${stream.rows}`;
  const keep = (frame: string): readonly string[] => {
    last = frame;
    size = sizeNow();
    before = frame.split('\n').map(withoutCaret);
    return before;
  };
  const write = (frame: string): boolean => {
    const old = size === sizeNow() ? before : null;
    const rows = keep(frame);
    const changed = old?.length === rows.length ? changedRows(old, rows) : wholeFrame(rows);
    const place = placeOfCaret(frame);
    const moved = cursorMoves({ from: cursor, to: place, written: changed !== '' });
    cursor = place;
    if (moved.before + changed + moved.after === '') return false;
    stream.write(moved.before + changed + moved.after);
    return true;
  };
  const forget = (): void => {
    before = null;
  };
  return Object.assign(write, {
    clear: () => {
      stream.write('\u001b[H\u001b[J');
      forget();
    },
    done: () => {
      stream.write('\u001b[?25h');
      cursor = null;
      forget();
    },
    reset: forget,
    sync: (frame: string) => void keep(frame),
    setCursorPosition: () => {},
    isCursorDirty: () => false,
    willRender: (frame: string) => before === null || size !== sizeNow() || frame !== last,
    getCursorPosition: () => undefined,
  });
};

/** As Ink imports it. */
export const frameWriter = { create: createFrameWriter };

const caret = new RegExp(`\u001b\\[((?:\\d+;)*)${caretCodes}m`);

/** The row as a terminal with a cursor of its own gets it: an inverse cell under a block cursor would look like any other. */
const withoutCaret = (row: string): string =>
  row.includes(caretCodes)
    ? row.replace(caret, (_, others: string) => (others === '' ? '' : `\u001b[${others.slice(0, -1)}m`))
    : row;

/** `3;8`: row and column of the caret, from 1; '' without one. */
const placeOfCaret = (frame: string): string => {
  if (!frame.includes(caretCodes)) return '';
  const rows = frame.split('\n');
  const y = rows.findLastIndex((row) => caret.test(row));
  const row = rows[y] ?? '';
  const before = row.slice(0, caret.exec(row)?.index);
  return y < 0 ? '' : `${y + 1};${widthOf(withoutStyles(before)) + 1}`;
};

/** A visible cursor goes back to its place after what was written elsewhere. */
const cursorMoves = ({
  from,
  to,
  written,
}: {
  readonly from: string | null;
  readonly to: string;
  readonly written: boolean;
}): { readonly before: string; readonly after: string } => {
  if (to === '') return { before: from === '' ? '' : '\u001b[?25l', after: '' };
  if (from === to && !written) return { before: '', after: '' };
  return { before: '', after: `\u001b[${to}H${from === null || from === '' ? '\u001b[?25h' : ''}` };
};

/** Erased first: behind the last cell of a full row a terminal would erase that cell. */
const wholeFrame = (rows: readonly string[]): string => `\u001b[H\u001b[J${rows.join('\r\n')}`;

const changedRows = (before: readonly string[], rows: readonly string[]): string => {
  let changed = '';
  rows.forEach((row, y) => {
    const old = before[y] ?? '';
    if (old !== row) changed += changedCells(old, row, y + 1);
  });
  return changed;
};
