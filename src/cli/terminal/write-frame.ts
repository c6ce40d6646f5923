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
 * frame begins at the first row. A terminal of another size, and one that another program had, gets the whole frame.
 */
export const createFrameWriter = (stream: Screen): FrameWriter => {
  let before: readonly string[] | null = null;
  let size = '';
  let isCursorHidden = false;
  const sizeNow = (): string => `${stream.columns}x${stream.rows}`;
  const keep = (frame: string): void => {
    before = frame.split('\n');
    size = sizeNow();
  };
  const write = (frame: string): boolean => {
    const rows = frame.split('\n');
    const known = before !== null && size === sizeNow() && before.length === rows.length ? before : null;
    const changed = known === null ? wholeFrame(rows) : changedRows(known, rows);
    keep(frame);
    const hide = isCursorHidden ? '' : '\u001b[?25l';
    isCursorHidden = true;
    if (hide + changed === '') return false;
    stream.write(hide + changed);
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
      isCursorHidden = false;
      forget();
    },
    reset: forget,
    sync: keep,
    setCursorPosition: () => {},
    isCursorDirty: () => false,
    willRender: (frame: string) => before === null || size !== sizeNow() || frame !== before.join('\n'),
    getCursorPosition: () => undefined,
  });
};

/** As Ink imports it. */
export const frameWriter = { create: createFrameWriter };

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
