import type { Command } from 'commander';
import type { Checked, Fault } from '../base/fault.ts';
import type { TypedLines } from './typed-lines.ts';

/** What a subcommand is lent of the outside world: nothing in `commands/` reaches for `process` itself. */
export interface Cli {
  /** Absolute; where the program was called. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  /** Stdin in lines, for prompts and questions: nothing else reads lines from it. */
  readonly typed: TypedLines;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** A person sits at a terminal that can show the screen: both ends are a TTY and it is not a dumb one. */
  readonly hasScreen: boolean;
  /** `--ascii`: the screen is drawn in plain ASCII, whatever `ui.ascii` says. */
  readonly ascii: boolean;
  /** Writes to stdout, with a newline at the end. */
  readonly print: (text: string) => void;
  /** Writes one line of JSON to stdout. */
  readonly printJson: (value: unknown) => void;
  /** Writes to stderr what is not the answer itself: progress, hints. */
  readonly note: (text: string) => void;
  /** Wraps a subcommand's body for commander: its number becomes the exit code, what it throws one clear sentence. */
  readonly does: <A extends readonly unknown[]>(
    body: (...args: A) => Promise<number> | number,
  ) => (...args: A) => Promise<void>;
}

/** One subcommand: adds itself to the program. One file each in `commands/`, one line in `commands/index.ts`. */
export type Subcommand = (program: Command, cli: Cli) => void;

/** Exit codes (product.md, Commands): a promise to scripts. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  waits: 3,
  paused: 4,
  aborted: 130,
} as const;

/** Ends the program with a sentence and an exit code; thrown by subcommands, caught in `program.ts` only. */
export class Exit extends Error {
  readonly code: number;
  readonly fault: Fault;
  /** Further faults of the same input, for people to mend in one go. */
  readonly more: readonly Fault[];
  constructor(code: number, fault: Fault, more: readonly Fault[] = []) {
    super(fault.what);
    this.name = 'Exit';
    this.code = code;
    this.fault = fault;
    this.more = more;
  }
}

/** The call itself was wrong: exit 2, nothing was done. */
export const usage = (what: string, mend?: string, code = 'usage'): Exit =>
  new Exit(exitCodes.usage, mend === undefined ? { code, what } : { code, what, mend });

/** It could not be done: exit 1. */
export const failure = (fault: Fault): Exit => new Exit(exitCodes.failed, fault);

/** The value, or the end of the program with every fault: input that is wrong is a usage error. */
export const valueOrExit = <T>(checked: Checked<T>): T => {
  if (checked.ok) return checked.value;
  const [first, ...more] = checked.faults;
  throw new Exit(exitCodes.usage, first ?? { code: 'invalid', what: 'the input is invalid' }, more);
};
