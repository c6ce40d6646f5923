import { hasTerminal } from '../base/process-table.io.ts';
import { safe } from '../base/safe.ts';
import type { Desk } from '../store/desk.ts';
import type { Cli } from './cli.ts';
import { copyText } from './copy-text.ts';
import { editText, openFile } from './edit-text.ts';
import type { World } from './world.ts';
import { recallWritten, rememberWritten } from './written-file.ts';

/** The desk of the person at this terminal. */
export const createDesk = (cli: Pick<Cli, 'env' | 'stdout'>, world: World): Desk => ({
  recall: (session) => recallWritten(cli.env, world, session),
  remember: (session, written) => rememberWritten(cli.env, world, session, written),
  edit: (text, file) => editText(cli, world, text, file),
  open: (path) => openFile(cli, world, path),
  copy: (text) => copyText(cli, world, text),
  title: (text) => void cli.stdout.write(titleSequence(text)),
  continued: (listener) => {
    // In the background it is the shell's still; to set it there would stop the program once more.
    const look = (): void => {
      if (hasTerminal()) listener();
    };
    process.on('SIGCONT', look);
    return () => void process.off('SIGCONT', look);
  },
  call: (text, how) => void cli.stdout.write(callSequence(text, how)),
});

const osc = (text: string): string => `\u001b]${text}\u0007`;

/** Names the window. Some of the words come from outside: nothing of them may end the sequence. */
export const titleSequence = (text: string): string => osc(`2;${safe(text)}`);

/** `osc`: the two sequences terminals know for a notification; each ignores the other's. `;` would end a part. */
export const callSequence = (text: string, how: 'bell' | 'osc' | 'none'): string => {
  if (how === 'none') return '';
  if (how === 'bell') return '\u0007';
  const words = safe(text).replaceAll(';', ',');
  return osc(`9;${words}`) + osc(`777;notify;ralph-tui;${words}`);
};

/** The terminal keeps its title while the screen is up and gets it back. */
export const titleKept = { push: '\u001b[22;2t', pop: '\u001b[23;2t' } as const;
