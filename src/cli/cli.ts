import type { Command } from 'commander';
import type { AgentInstall } from '../../components/start/start-list.ts';
import { type Checked, type Fault, formatFault } from '../base/fault.ts';
import type { Launcher } from './launcher/launcher.ts';
import type { TypedLines } from './typed-lines.ts';

/** The outside world as subcommands see it: nothing in `commands/` reaches for `process` itself. */
export interface Cli {
  /** Absolute; the directory the program was called in. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  /** Stdin in lines, for prompts and questions: nothing else reads lines from it. */
  readonly typed: TypedLines;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** True when stdin and stdout are a TTY: a person reads and types. */
  readonly hasPerson: boolean;
  /** True when that terminal can also show the screen (not a dumb one). */
  readonly hasScreen: boolean;
  /** `--ascii`: draws the screen in plain ASCII and overrides `ui.ascii`. */
  readonly ascii: boolean;
  /** The process that the shell waits for; without one a session cannot outlive its terminal. */
  readonly launcher: Launcher | null;
  /** Writes to stdout, with a newline at the end. */
  readonly print: (text: string) => void;
  /** Writes one line of JSON to stdout. */
  readonly printJson: (value: unknown) => void;
  /** Writes to stderr: progress and hints, never the answer itself. */
  readonly note: (text: string) => void;
  /** Notes that commands of this program were shown, as on the screen: texts that are printed are looked through by themselves. */
  readonly showsCommands: () => void;
  /** Adds the secrets of a configuration to what is never printed. */
  readonly learn: (secrets: readonly string[]) => void;
  /** Wraps a subcommand's body for commander. Its number becomes the exit code, its error one clear sentence. */
  readonly does: <A extends readonly unknown[]>(
    body: (...args: A) => Promise<number> | number,
  ) => (...args: A) => Promise<void>;
  /** Runs the program on these arguments inside a running session, in that directory. Prints errors and leaves the exit code alone. */
  readonly run: (argv: readonly string[], cwd?: string) => Promise<void>;
}

/** One subcommand: adds itself to the program. One file each in `commands/`, one line in `commands/index.ts`. */
export type Subcommand = (program: Command, cli: Cli) => void;

/** Exit codes (src/cli/README.md, Commands): a promise to scripts. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  waits: 3,
  paused: 4,
  aborted: 130,
} as const;

/** Ends the program with a sentence and an exit code. Subcommands throw it; only `program.ts` catches it. */
export class Exit extends Error {
  readonly code: number;
  readonly fault: Fault;
  /** Further faults of the same input, so that people can fix all of them in one go. */
  readonly more: readonly Fault[];
  /** The package that would repair it, offered where a person can be asked. */
  readonly install: AgentInstall | null;
  constructor(code: number, fault: Fault, more: readonly Fault[] = [], install: AgentInstall | null = null) {
    super(formatFault(fault));
    this.name = 'Exit';
    this.code = code;
    this.fault = fault;
    this.more = more;
    this.install = install;
  }
}

/** A usage error: exit 2, nothing was done. */
export const usage = (what: string, hint?: string, code = 'usage'): Exit =>
  new Exit(exitCodes.usage, hint === undefined ? { code, what } : { code, what, hint });

/** A failure: exit 1. */
export const failure = (fault: Fault): Exit => new Exit(exitCodes.failed, fault);

/** The code of a fault: a program runs that already. */
export const alreadyRunningCode = 'already-running';

/** A session that did not start: exit 3 where another program has its work. */
export const refusedStart = (fault: Fault): Exit =>
  fault.code === alreadyRunningCode ? new Exit(exitCodes.waits, fault) : failure(fault);

/** Returns the value, or ends the program with every fault: wrong input is a usage error. */
export const valueOrExit = <T>(checked: Checked<T>): T => {
  if (checked.ok) return checked.value;
  const [first, ...more] = checked.faults;
  throw new Exit(exitCodes.usage, first ?? { code: 'invalid', what: 'the input is invalid' }, more);
};
