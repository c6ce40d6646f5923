import type { Pointing } from './mouse.ts';

/** A piece of the terminal's input: bytes for the key reader, or a mouse event. */
export type InputPiece =
  | { readonly kind: 'bytes'; readonly text: string }
  | { readonly kind: 'mouse'; readonly pointing: Pointing };

/** Extracts mouse reports from a terminal's input, wherever its reads end. */
interface MouseDecoder {
  /** Takes the next read and returns its pieces in order. All bytes outside of reports are returned unchanged. */
  readonly push: (chunk: string) => readonly InputPiece[];
  /**
   * Bytes are held back that must be flushed when no more arrive. `a key`: it may be the Esc key. `a report`: it is the start of a report, which is
   * no key. Its rest may take long to arrive.
   */
  readonly held: () => 'a key' | 'a report' | null;
  /** Stops waiting and returns the bytes held back. */
  readonly flush: () => string;
}

const esc = '\u001b';
const pasteStart = `${esc}[200~`;
const pasteEnd = `${esc}[201~`;

/** xterm's SGR form (mode 1006): button, column and row, counted from 1. `m` is a release. */
const sgrReport = /^\u001b\[<(\d{1,5});(\d{1,5});(\d{1,5})([Mm])/;

/** The form of terminals without SGR mode: three characters from 32 on. Read as keys they would be hotkeys. */
const oldReport = /^\u001b\[M([\s\S])([\s\S])([\s\S])/;

/** Bytes that may still become a report or the start of a paste. */
const unfinished = /^\u001b(?:\[(?:<[\d;]{0,17}|M[\s\S]{0,2}|2|20|200)?)?$/;

/** Reports within a paste are clipboard text and stay in it. As reports they would let a clipboard click anything. */
export const createMouseDecoder = (): MouseDecoder => {
  let held = '';
  let pasting = false;

  const push = (chunk: string): readonly InputPiece[] => {
    const text = held + chunk;
    held = '';
    const pieces: InputPiece[] = [];
    let from = 0;
    let at = 0;
    const passUpTo = (end: number): void => {
      if (end > from) pieces.push({ kind: 'bytes', text: text.slice(from, end) });
      from = end;
    };
    while (at < text.length) {
      const next = text.indexOf(esc, at);
      if (next < 0) break;
      const rest = text.slice(next, next + longest);
      const report = pasting ? null : reportIn(rest);
      if (report !== null) {
        passUpTo(next);
        if (report.pointing !== null) pieces.push({ kind: 'mouse', pointing: report.pointing });
        at = next + report.length;
        from = at;
        continue;
      }
      const marker = pasting ? pasteEnd : pasteStart;
      if (rest.startsWith(marker)) {
        pasting = !pasting;
        at = next + marker.length;
        continue;
      }
      if (pasting ? marker.startsWith(rest) : unfinished.test(rest)) {
        passUpTo(next);
        held = text.slice(next);
        return pieces;
      }
      at = next + 1;
    }
    passUpTo(text.length);
    return pieces;
  };

  return {
    push,
    held: () => {
      // Inside a paste there is no Esc key to wait for, and half of a paste marker is no key either.
      if (held === '' || pasting || held === pasteStart.slice(0, -1)) return null;
      return held === esc || held === `${esc}[` ? 'a key' : 'a report';
    },
    flush: () => {
      const bytes = held;
      held = '';
      return bytes;
    },
  };
};

/** No report and no paste marker is longer. */
const longest = 24;

const reportIn = (text: string): { readonly length: number; readonly pointing: Pointing | null } | null => {
  const [whole = '', button = '', column = '', row = '', end = ''] = sgrReport.exec(text) ?? [];
  if (whole !== '')
    return {
      length: whole.length,
      pointing: pointingOf(Number(button), Number(column), Number(row), end === 'm'),
    };
  const [old = '', ...codes] = oldReport.exec(text) ?? [];
  if (old === '') return null;
  const [what = 0, x = 0, y = 0] = codes.map((code) => code.charCodeAt(0) - 32);
  return { length: old.length, pointing: pointingOf(what, x, y, false) };
};

const buttons: Readonly<Record<number, Pointing['what']>> = {
  0: 'press',
  32: 'drag',
  64: 'wheel-up',
  65: 'wheel-down',
};

/** The left button and the wheel. Other mouse events are ignored. Shift, Alt and Ctrl (4, 8, 16) make no difference. */
const pointingOf = (button: number, column: number, row: number, released: boolean): Pointing | null => {
  const done = buttons[button & ~28];
  const what = released ? (done === 'press' ? 'release' : undefined) : done;
  return what === undefined || column < 1 || row < 1 ? null : { what, column: column - 1, row: row - 1 };
};
