import type { Mouse, Pointing } from '../../../components/keys/mouse.ts';
import { createMouseDecoder, type InputPiece } from '../../../components/keys/mouse-reports.ts';
import type { Clock } from '../../base/clock.ts';
import type { Cli } from '../cli.ts';

/** xterm's button events, with motion while a button is held (1002), in the SGR form, which has no column limit. */
const mouseModes = {
  on: '\u001b[?1000h\u001b[?1002h\u001b[?1006h',
  off: '\u001b[?1006l\u001b[?1002l\u001b[?1000l',
} as const;

/**
 * Milliseconds to wait for the rest of a sequence. A key waits as long as in Ink after Esc. A report waits
 * longer: no key begins like one, and its rest may come over a slow line.
 */
const patienceMs = { 'a key': 20, 'a report': 250 } as const;

/**
 * The terminal's mouse, and the stdin for Ink. Ink swallows mouse reports, so they are removed before it reads.
 * Only `read` is replaced: raw mode, references and listeners are those of the real stdin, so `$EDITOR` gets
 * the whole terminal. Mouse events fire when Ink reads that position of the input, so keys and clicks keep
 * their order.
 */
export const createMouse = (
  { stdin, stdout }: Pick<Cli, 'stdin' | 'stdout'>,
  clock: Clock,
  /** Gets every read before anything is taken out of it, and returns what is left for the mouse and for Ink. */
  take: (chunk: string) => string = (chunk) => chunk,
): { readonly mouse: Mouse; readonly stdin: Cli['stdin'] } => {
  let decoder = createMouseDecoder();
  const listeners = new Set<(pointing: Pointing) => void>();
  const waiting: InputPiece[] = [];
  let on = false;
  let cancel = (): void => {};

  const giveUp = (): void => {
    const text = decoder.flush();
    if (text !== '') waiting.push({ kind: 'bytes', text });
  };
  const read = (): string | null => {
    for (;;) {
      const piece = waiting.shift();
      if (piece?.kind === 'bytes') return piece.text;
      if (piece !== undefined) {
        for (const listener of [...listeners]) listener(piece.pointing);
        continue;
      }
      const chunk: unknown = stdin.read();
      if (chunk === null) break;
      cancel();
      const text = take(String(chunk));
      if (on) waiting.push(...decoder.push(text));
      else if (text !== '') return text;
    }
    const held = decoder.held();
    if (held !== null)
      cancel = clock.after(patienceMs[held], () => {
        // Timers run before reads: bytes that have already arrived are read first.
        cancel = clock.after(0, () => {
          giveUp();
          stdin.emit('readable');
        });
      });
    return null;
  };

  return {
    mouse: {
      turn: (wanted) => {
        if (wanted === on) return;
        on = wanted;
        cancel();
        giveUp();
        // A new decoder: the old one may be inside a paste that has ended meanwhile.
        decoder = createMouseDecoder();
        stdout.write(on ? mouseModes.on : mouseModes.off);
      },
      listen: (listener) => {
        listeners.add(listener);
        return () => {
          listeners.delete(listener);
        };
      },
    },
    stdin: new Proxy(stdin, {
      get: (target, name) => {
        if (name === 'read') return read;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
  };
};
