import { Command, CommanderError } from 'commander';
import { DiskError } from '../base/disk.ts';
import { diskReason } from '../base/disk-reason.ts';
import { formatFault, toFault } from '../base/fault.ts';
import { createRedact, redactDeep } from '../base/redact.ts';
import { safe } from '../base/safe.ts';
import { type Cli, Exit, exitCodes } from './cli.ts';
import { commands } from './commands/index.ts';
import { secretsOf } from './secrets.ts';
import { createTypedLines } from './typed-lines.ts';
import { version } from './version.ts';

/** Runs the program on this process's arguments; the exit code is set, never forced, so that output is always written whole. */
export const main = async (argv: readonly string[] = process.argv.slice(2)): Promise<void> => {
  const cli = processCli(argv.includes('--json'), argv.includes('--ascii'));
  try {
    await createProgram(cli).parseAsync([...argv], { from: 'user' });
  } catch (error) {
    process.exitCode = report(error, argv.includes('--json'), cli);
  }
};

/** The whole command line: every subcommand in the order users see it. */
export const createProgram = (cli: Cli): Command => {
  const program = new Command('ralph-tui')
    .description('Mission control for coding agents: watch a session, and steer it with one key.')
    .version(version, '-V, --version', 'print the version')
    .option('--ascii', 'draw the screen in plain ASCII')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => cli.stdout.write(text),
      // The sentence is printed by `report`, once, in our own form.
      outputError: () => {},
    });
  for (const subcommand of commands) subcommand(program, cli);
  program.addHelpText(
    'after',
    '\nExit codes: 0 done, 1 failed tasks or error, 2 usage, 3 waits for a person, 4 paused, 130 aborted.',
  );
  return program;
};

const processCli = (json: boolean, ascii: boolean): Cli => {
  const { stdout, stderr, stdin } = process;
  // A reader that went away (`| head`: EPIPE) or a closed window (EIO, on stdin too) must not end the program here: it would leave
  // its agents behind. Who hosts a session listens as well, and stops it; writing on into nothing is harmless.
  for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {});
  stdout.once('error', (error: NodeJS.ErrnoException) => tellLost(error, stderr));
  // The last look before anything leaves: whatever a file of somebody else's holds, no command prints it.
  const redact = createRedact(secretsOf(process.env));
  const cli: Cli = {
    cwd: process.cwd(),
    env: process.env,
    stdin,
    typed: createTypedLines(stdin),
    stdout,
    stderr,
    hasScreen: Boolean(stdin.isTTY && stdout.isTTY && process.env['TERM'] !== 'dumb'),
    ascii,
    print: (text) => stdout.write(`${redact(text)}\n`),
    printJson: (value) => stdout.write(`${JSON.stringify(redactDeep(redact, value))}\n`),
    note: (text) => stderr.write(`${redact(text)}\n`),
    does:
      (body) =>
      async (...args) => {
        try {
          process.exitCode = await body(...args);
        } catch (error) {
          process.exitCode = report(error, json, cli);
        }
      },
  };
  return cli;
};

/** An answer that did not get to where somebody wanted to keep it (a full disk) was not given: nobody takes half of it for the whole. */
const tellLost = ({ code = '' }: NodeJS.ErrnoException, stderr: NodeJS.WriteStream): void => {
  if (code === 'EPIPE' || code === 'EIO') return;
  const { clause } = diskReason(new DiskError(code, 'write', 'stdout'));
  stderr.write(`ralph-tui: the output could not be written whole: ${safe(clause)}\n`);
  process.once('exit', (so) => {
    if (so === exitCodes.done) process.exitCode = exitCodes.failed;
  });
};

/** Prints what went wrong, as one sentence on stderr or, with `--json`, as an object on stdout; gives the exit code. */
export const report = (error: unknown, json: boolean, cli: Cli): number => {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
  const { code, fault, more } = outcomeOf(error);
  if (json)
    cli.printJson({
      error: {
        code: fault.code,
        message: safe(`${fault.where ? `${fault.where}: ` : ''}${fault.what}`),
        hint: fault.mend === undefined ? null : safe(fault.mend),
      },
    });
  else {
    for (const each of [fault, ...more.slice(0, mostSentences - 1)])
      cli.note(`ralph-tui: ${safe(formatFault(each))}`);
    const left = more.length + 1 - mostSentences;
    if (left > 0) cli.note(`ralph-tui: … and ${left} more`);
  }
  return code;
};

/** Sentences about one input that anybody reads: a file that is wrong 10,000 times is told so 19 times. */
const mostSentences = 19;

const outcomeOf = (error: unknown): Pick<Exit, 'code' | 'fault' | 'more'> => {
  if (error instanceof Exit) return error;
  if (error instanceof CommanderError)
    return {
      code: exitCodes.usage,
      fault: {
        code: 'usage',
        what: error.message.replace(/^error: /, '').replaceAll('\n', ' '),
        mend: 'see `ralph-tui --help`',
      },
      more: [],
    };
  return { code: exitCodes.failed, fault: toFault(error), more: [] };
};
