import { CommanderError } from 'commander';
import { DiskError } from '../base/disk.ts';
import { diskReason } from '../base/disk-reason.ts';
import { type Fault, formatFault, toFault } from '../base/fault.ts';
import { redactDeep } from '../base/redact.ts';
import { safe, safeJson } from '../base/safe.ts';
import { type Cli, Exit, exitCodes } from './cli.ts';
import { createProgram, wrongWords } from './create-program.ts';
import { type Launcher, launcherOf } from './launcher/launcher.ts';
import { namesCommand, ownNameHint } from './own-name.ts';
import { farCommand } from './runners/far-words.ts';
import { createSecrets, secretsOf } from './secrets.ts';
import { createTypedLines } from './typed-lines.ts';

/** What the program takes from its process. */
export interface Host {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: () => string;
  readonly launcher?: Launcher;
  exitCode?: number | string | null | undefined;
}

/** Runs the program on these arguments, by default those of this process. Sets the exit code of `host` instead of exiting, so that all output is written. */
export const main = async (
  argv: readonly string[] = process.argv.slice(2),
  host: Host = process,
  given?: Cli,
  isLaunched = false,
): Promise<void> => {
  let shown = false;
  const hint = async (): Promise<void> => {
    if (shown && host.stdout.isTTY && host.stderr.isTTY) await hintAtName(cli);
    shown = false;
  };
  const launcher = host.launcher ?? (isLaunched ? launcherOf(process) : null);
  const cli =
    given ??
    hostCli(host, argv.includes('--json'), argv.includes('--ascii'), {
      showsCommands: () => {
        shown = true;
      },
      // The last moment at which a person reads what this program prints.
      launcher: launcher && {
        ...launcher,
        letGo: async (exitCode, log) => {
          await hint();
          await launcher.letGo(exitCode, log);
        },
      },
    });
  await perform(argv, cli);
  await hint();
};

/** Names the alias that makes the printed commands work, where a person reads them and the PATH lacks the program. */
const hintAtName = async (cli: Cli): Promise<void> => {
  const { isProgramThere } = await import('../base/process/find-program.ts');
  const { createDisk } = await import('../base/disk.io.ts');
  const { packageOf } = await import('./package-of.ts');
  const hint = ownNameHint({
    cwd: cli.cwd,
    path: cli.env['PATH'],
    node: process.execPath,
    script: process.argv[1] ?? '',
    isThere: isProgramThere(createDisk()),
    packageOf,
  });
  if (hint !== null) cli.stderr.write(`${hint}\n`);
};

/** Runs one command; its errors are printed, and its exit code is set. */
const perform = async (argv: readonly string[], cli: Cli): Promise<void> => {
  try {
    const far = farCommand(argv);
    // The screen shows a session of another machine itself; every other command runs there.
    const passed =
      far !== null &&
      !(argv[0] === 'attach' && cli.hasScreen && !inLines.some((word) => argv.includes(word)));
    if (passed) {
      const { passOn } = await import('./runners/pass-on.ts');
      await cli.does(() => passOn(cli, far))();
    } else await (await createProgram(cli, argv)).parseAsync([...argv], { from: 'user' });
  } catch (error) {
    await cli.does(async () => {
      throw error instanceof CommanderError && error.exitCode !== 0
        ? wrongWords(error, await createProgram(cli, argv), argv)
        : error;
    })();
  }
};

/** Options of `attach` that show a session without the screen. */
const inLines = ['--json', '--headless', '--screen-reader'];

const hostCli = (
  host: Host,
  json: boolean,
  ascii: boolean,
  { showsCommands, launcher }: Pick<Cli, 'showsCommands' | 'launcher'>,
): Cli => {
  const { stdout, stderr, env } = host;
  const openStdin = once(() => {
    const { stdin } = host;
    stdin.on('error', () => {});
    return stdin;
  });
  const typed = once(() => createTypedLines(openStdin()));
  const hasPerson = Boolean(stdout.isTTY && openStdin().isTTY);
  // A reader that closed the pipe (`| head`: EPIPE) or a closed window (EIO, on stdin too) must not end the
  // program here: its agents would be left behind. A hosting command listens as well and stops its session.
  // Writing to a closed stream is harmless.
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  stdout.once('error', (error: NodeJS.ErrnoException) => tellLost(error, stderr));
  // Redacts secrets at the last point before output, whatever a foreign file contains.
  const { redact, learn } = createSecrets(secretsOf(env));
  const look = (text: string): string => {
    if (namesCommand(text)) showsCommands();
    return redact(text);
  };
  const cli: Cli = {
    cwd: host.cwd(),
    env,
    // Most commands read nothing, and Node opens the stream when it is first asked for: 4 ms of processor time.
    get stdin() {
      return openStdin();
    },
    get typed() {
      return typed();
    },
    stdout,
    stderr,
    hasPerson,
    hasScreen: hasPerson && env['TERM'] !== 'dumb',
    ascii,
    launcher,
    showsCommands,
    print: (text) => stdout.write(`${look(text)}\n`),
    printJson: (value) => stdout.write(`${safeJson(redactDeep(redact, value))}\n`),
    note: (text) => stderr.write(`${look(text)}\n`),
    learn,
    does:
      (body) =>
      async (...args) => {
        try {
          host.exitCode = await body(...args);
        } catch (error) {
          host.exitCode = report(error, json, cli);
        }
      },
    run: (argv, cwd = cli.cwd) => runVerb({ ...cli, cwd }, argv),
  };
  return cli;
};

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/** Runs one verb inside a running session: prints its errors and ignores its exit code. */
const runVerb = (cli: Cli, argv: readonly string[]): Promise<void> => {
  const verb: Cli = {
    ...cli,
    hasPerson: false,
    hasScreen: false,
    does:
      (body) =>
      async (...args) => {
        try {
          await body(...args);
        } catch (error) {
          report(error, argv.includes('--json'), cli);
        }
      },
  };
  return perform(argv, verb);
};

/**
 * Reports output that could not be written, as on a full disk, and exits with 1: half an answer must not pass
 * for a whole one.
 */
const tellLost = ({ code = '' }: NodeJS.ErrnoException, stderr: NodeJS.WriteStream): void => {
  if (code === 'EPIPE' || code === 'EIO') return;
  const { clause } = diskReason(new DiskError(code, 'write', 'stdout'));
  stderr.write(`ralph-tui: the output could not be written completely: ${safe(clause)}\n`);
  process.once('exit', (so) => {
    if (so === exitCodes.done) process.exitCode = exitCodes.failed;
  });
};

/** Prints an error: one sentence on stderr or, with `--json`, an object on stdout. Returns the exit code. */
export const report = (error: unknown, json: boolean, cli: Cli): number => {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
  const { code, fault, more } = outcomeOf(error);
  if (json)
    cli.printJson({
      // Beside events, which have one too.
      type: 'error',
      error: { ...errorOf(fault), ...(more.length === 0 ? {} : { more: more.map(errorOf) }) },
    });
  else {
    for (const each of [fault, ...more.slice(0, mostSentences - 1)])
      cli.note(`ralph-tui: ${safe(formatFault(each))}`);
    const left = more.length + 1 - mostSentences;
    if (left > 0) cli.note(`ralph-tui: … and ${left} more`);
  }
  return code;
};

/** A fault for scripts. */
const errorOf = ({ code, where, what, hint }: Fault) => ({
  code,
  message: safe(`${where ? `${where}: ` : ''}${what}`),
  hint: hint === undefined ? null : safe(hint),
});

/** Most sentences printed about one input: a file with 10,000 faults still fits a terminal. */
const mostSentences = 19;

const outcomeOf = (error: unknown): Pick<Exit, 'code' | 'fault' | 'more'> => {
  if (error instanceof Exit) return error;
  return { code: exitCodes.failed, fault: toFault(error), more: [] };
};
