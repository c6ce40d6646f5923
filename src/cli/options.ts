import { type Command, InvalidArgumentError } from 'commander';

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

/** A number of at least 0, for an option. */
export const positiveNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError('expected a number above 0');
  return value;
};
