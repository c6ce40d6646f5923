import { createInterface } from 'node:readline';
import { safe } from '../base/safe.ts';
import type { Cli } from './cli.ts';
import { createProgram, report } from './program.ts';
import { formatTable } from './table.ts';
import { parseLine, verbs } from './verbs.ts';

/**
 * The screen in lines, for those who listen to it: what happens is appended as the plain log, and each typed line is one of the program's own
 * verbs for this session. Nothing is ever drawn over. The answer stops listening.
 */
export const listen = (cli: Cli, session: string, leave: () => void): (() => void) => {
  const lines = createInterface({ input: cli.stdin, terminal: false });
  let before: Promise<void> = Promise.resolve();
  lines.on('line', (line) => {
    before = before.then(() => obey(cli, line, session, leave));
  });
  cli.print('Type help for what you can do, quit to leave.');
  return () => lines.close();
};

/** One line after the other: an answer never comes into the middle of another. */
const obey = async (cli: Cli, line: string, session: string, leave: () => void): Promise<void> => {
  const typed = parseLine(line, session);
  switch (typed.kind) {
    case 'nothing':
      return;
    case 'help':
      return cli.print(formatTable(verbs.map((verb) => [verb.usage, verb.what])));
    case 'quit':
      return leave();
    case 'unknown':
      return cli.print(safe(typed.text));
    case 'call':
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
