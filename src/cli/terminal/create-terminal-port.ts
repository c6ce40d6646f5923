import { setImmediate as turn } from 'node:timers/promises';
import type { TerminalPort } from '../../../components/ports/terminal-port.ts';
import { hasTerminal } from '../../base/process/process-table.io.ts';
import { hasShell } from '../../base/process/suspend.io.ts';
import { safe } from '../../base/safe.ts';
import type { Cli } from '../cli.ts';
import { onProcessSignals } from '../process-signals.ts';
import type { World } from '../world.ts';
import { browsePage } from './browse-page.ts';
import { copyText } from './copy-text.ts';
import { editText, openFile } from './edit-text.ts';
import { runOnTerminal } from './run-on-terminal.ts';
import { suspendUntilForeground } from './suspend.ts';
import { recallWritten, rememberWritten } from './written-file.ts';

/** The screen's requests to the person's terminal. */
export const createTerminalPort = (
  cli: Pick<Cli, 'env' | 'stdin' | 'stdout'>,
  world: World,
): TerminalPort => {
  // The signal that ends a suspension of ours comes when the screen has its terminal back already. To take it back once more would drop a key just pressed.
  let ends = false;
  return {
    recall: (session) => recallWritten(cli.env, world, session),
    remember: (session, written) => rememberWritten(cli.env, world, session, written),
    edit: async (text, file) => {
      await stopReading(cli.stdin);
      return editText(cli, world, text, file);
    },
    open: async (path, line) => {
      await stopReading(cli.stdin);
      return openFile(cli, world, path, line);
    },
    run: async (command) => {
      await stopReading(cli.stdin);
      return runOnTerminal(cli, command);
    },
    copy: (text) => copyText(cli, world, text),
    browse: (url) => browsePage(cli, world, url),
    title: (text) => void cli.stdout.write(titleSequence(text)),
    suspend: async () => {
      // A screen whose input is not this process's own, as in a test, has no shell below it.
      if (cli.stdin !== process.stdin || !hasTerminal() || !hasShell())
        return 'No shell is waiting below this screen: there is nothing to suspend to';
      await stopReading(cli.stdin);
      cli.stdout.write(titleKept.pop);
      ends = true;
      await suspendUntilForeground(world.clock);
      cli.stdout.write(titleKept.push);
      return null;
    },
    stopping: (listener) => onProcessSignals(['SIGTSTP'], listener),
    continued: (listener) => {
      // In the background the shell still owns the terminal. Setting its modes there would stop the program again.
      return onProcessSignals(['SIGCONT'], () => {
        if (!ends && hasTerminal()) listener();
        ends = false;
      });
    },
    call: (text, how) => void cli.stdout.write(callSequence(text, how)),
  };
};

/**
 * Ends the reading that goes on although the screen listens no longer: it would take a key from the program that has the terminal now, and in the background
 * (`bg`) the kernel stops a program that reads. A screen that has its terminal back reads again.
 */
const stopReading = async (stdin: Cli['stdin']): Promise<void> => {
  // The stream learns in the next turn that nobody listens, and stops in the one after it was paused.
  await turn();
  stdin.pause();
  await turn();
};

const osc = (text: string): string => `\u001b]${text}\u0007`;

/** Sets the window title. `safe` keeps foreign text from ending the sequence. */
export const titleSequence = (text: string): string => osc(`2;${safe(text)}`);

/**
 * `osc`: the two sequences that terminals know for a notification; each ignores the other's. A `;` in the text
 * would end a part.
 */
export const callSequence = (text: string, how: 'bell' | 'osc' | 'none'): string => {
  if (how === 'none') return '';
  if (how === 'bell') return '\u0007';
  const words = safe(text).replaceAll(';', ',');
  return osc(`9;${words}`) + osc(`777;notify;ralph-tui;${words}`);
};

/** Saves the terminal's title while the screen is open, and restores it. */
export const titleKept = { push: '\u001b[22;2t', pop: '\u001b[23;2t' } as const;
