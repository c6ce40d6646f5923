import { createPasteMarks, type PasteMarks } from '../../../components/keys/paste-marks.ts';
import type { Clock } from '../../base/clock.ts';
import type { Cli } from '../cli.ts';

/** Asks the terminal whether it marks pastes, and reads the answer out of the input. */
interface AskedPasteMarks {
  readonly marks: PasteMarks;
  /** Sees every read. The bytes pass on to Ink, which ignores the answer. */
  readonly see: (chunk: string) => void;
  /** Resolves when the answer was read or will not come: later it would be in the shell's input. Nothing else may read then. */
  readonly answered: () => Promise<void>;
}

/** Milliseconds after which a terminal that was asked has no answer. Only a screen that closes earlier waits for it. */
const patienceMs = 500;

/**
 * DECRQM for bracketed paste (mode 2004). Terminals that do not know it ignore it, and a few print its last letter: the cursor goes back and the
 * line is erased.
 */
const question = '\u001b7\u001b[?2004$p\u001b8\u001b[K';

/** 1: set · 2: reset · 3: permanently set. 0 and 4 are terminals without it. */
const answer = /\u001b\[\?2004;(\d)\$y/;
const longestAnswer = 12;

/** Writes the question at once, before the first frame, and never waits for the answer. */
export const askPasteMarks = (
  { stdin, stdout, env }: Pick<Cli, 'stdin' | 'stdout' | 'env'>,
  clock: Clock,
): AskedPasteMarks => {
  const asked = clock.monotonic();
  const knowsIt = env['TERM'] !== 'linux' && env['TERM'] !== 'dumb';
  let open = knowsIt;
  const marks = createPasteMarks();
  let tail = '';
  if (knowsIt) stdout.write(question);

  const see = (chunk: string): void => {
    if (!open) return;
    // The answer may come in two reads.
    const found = answer.exec(tail + chunk);
    tail = (tail + chunk).slice(-longestAnswer);
    if (found === null) return;
    open = false;
    if (found[1] === '1' || found[1] === '2' || found[1] === '3') marks.sawMarked();
  };

  return {
    marks,
    see,
    answered: () => {
      const left = asked + patienceMs - clock.monotonic();
      if (!open || left <= 0) return Promise.resolve();
      return new Promise((resolve) => {
        stdin.setRawMode(true);
        const take = (chunk: Buffer | string): void => {
          see(String(chunk));
          if (!open) done();
        };
        const done = (): void => {
          cancel();
          stdin.off('data', take);
          stdin.pause();
          resolve();
        };
        const cancel = clock.after(left, done);
        stdin.on('data', take);
      });
    },
  };
};
