import { type Command, InvalidArgumentError, Option } from 'commander';

/** What every command about a session takes. */
export interface SessionOptions {
  readonly session?: string;
  readonly json?: boolean;
}

export const withJson = (command: Command): Command => command.option('--json', 'machine-readable output');

export const withSession = (command: Command): Command =>
  withJson(
    command.option('--session <id>', 'which session (default: the newest unfinished one, else the newest)'),
  );

/**
 * What a person said about a session on the command line. It holds for the programs that this one starts and for what they resume, and is written nowhere:
 * what agents may do unasked is never read from a file that they may write.
 */
export interface Flags {
  readonly permissions?: string;
}

export const withFlags = (command: Command): Command =>
  command.addOption(
    new Option('--permissions <preset>', 'what agents may do unasked').choices([
      'ask',
      'edits',
      'workspace',
      'all',
    ]),
  );

export const flagsOf = ({ permissions }: Flags): Flags => (permissions === undefined ? {} : { permissions });

/** The same again as words of a command line. */
export const flagWords = ({ permissions }: Flags): readonly string[] =>
  permissions === undefined ? [] : ['--permissions', permissions];

/** A number of at least 0, for an option. */
export const positiveNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError('expected a number above 0');
  return value;
};

/** What `--help` lists; `help` itself it does without asking. */
export const visibleIn = (command: Command): readonly Command[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((sub) => sub.name() !== 'help');
