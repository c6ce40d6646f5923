import { safe } from '../../base/safe.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { Cli } from '../cli.ts';
import { formatTable } from '../report/table.ts';
import { parseLine, verbs } from './verbs.ts';
import { wordsOfKeys } from './words-of-keys.ts';

/** Actions for typed words that are no subcommands. */
interface Listener {
  readonly leave: () => void;
  /** Runs a stopped session in this program; absent while another process runs the session. */
  readonly resume?: () => void;
  /** Called at the end of the input. A running session continues without it. */
  readonly ended?: () => void;
}

/**
 * The screen in lines, for screen readers: appends events as the plain log and never redraws. Each typed line
 * is one of the program's own verbs for this session. Lines run one after the other, so answers never mix.
 * Returns the function that stops listening.
 */
export const listen = (
  caller: Cli,
  { session, workspace }: Pick<SessionPaths, 'session' | 'workspace'>,
  listener: Listener,
): (() => void) => {
  // The demo runs in a directory of its own, and verbs look for their session where they are called.
  const cli: Cli = { ...caller, run: (argv) => caller.run(argv, workspace) };
  cli.print('Type help for a list of commands, or quit to leave.');
  return cli.typed.hold({
    line: (line) => obey(cli, line, session, listener),
    ended: () => listener.ended?.(),
  });
};

const obey = async (cli: Cli, line: string, session: string, listener: Listener): Promise<void> => {
  const typed = parseLine(line, session);
  switch (typed.kind) {
    case 'nothing':
      return;
    case 'help':
      return cli.print(formatTable(Object.values(verbs).map(({ usage, what }) => [usage, what])));
    case 'keys':
      return cli.print(
        formatTable(
          wordsOfKeys().map(({ what, word, why }) => [word ?? '-', what, word === null ? why : '']),
        ),
      );
    case 'quit':
      return listener.leave();
    case 'unknown':
      return cli.print(safe(typed.text));
    case 'call':
      if (listener.resume !== undefined && typed.argv[1] === 'RESUME') return listener.resume();
      return cli.run(typed.argv);
  }
};
