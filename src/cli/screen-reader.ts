import { safe } from '../base/safe.ts';
import type { Cli } from './cli.ts';
import { createProgram, report } from './program.ts';
import { formatTable } from './table.ts';
import { parseLine, verbs } from './verbs.ts';
import { wordsOfKeys } from './words-of-keys.ts';

/** What words do that are no subcommands. */
export interface Listener {
  readonly leave: () => void;
  /** Nobody runs the session: `resume` has this program run it, instead of telling whoever does. */
  readonly resume?: () => void;
  /** Nobody types any more. A session that runs goes on without them. */
  readonly ended?: () => void;
}

/**
 * The screen in lines, for those who listen to it: what happens is appended as the plain log, and each typed line is one of the program's own
 * verbs for this session, one after the other: an answer never comes into the middle of another. Nothing is ever drawn over. The answer stops listening.
 */
export const listen = (cli: Cli, session: string, listener: Listener): (() => void) => {
  cli.print('Type help for what you can do, quit to leave.');
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
      return cli.print(formatTable(verbs.map((verb) => [verb.usage, verb.what])));
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
      return call(cli, typed.argv);
  }
};

/** A verb's exit code is not the program's: the session goes on. */
const call = async (cli: Cli, argv: readonly string[]): Promise<void> => {
  const json = argv.includes('--json');
  const failed = (error: unknown): void => void report(error, json, cli);
  const verb: Cli = {
    ...cli,
    hasScreen: false,
    does:
      (body) =>
      async (...args) => {
        try {
          await body(...args);
        } catch (error) {
          failed(error);
        }
      },
  };
  try {
    await createProgram(verb).parseAsync([...argv], { from: 'user' });
  } catch (error) {
    failed(error);
  }
};
