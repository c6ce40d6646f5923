import { type Command, InvalidArgumentError, Option } from 'commander';
import { permissionPresets } from '../session/settings/permission-presets.ts';

/** Options of every command about a session. */
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
 * Flags of the command line. They hold for the programs this one starts and for every resume: the journal keeps them, and counts only with the record
 * of them outside the workspace, because permissions must never come from a file that agents may write.
 */
export interface Flags {
  readonly permissions?: string | undefined;
  /** The agent for every role, whatever a file says; beside a plan the script Planner reads the plan. */
  readonly agent?: string | undefined;
  /** What happens to the branch of a session whose tasks work in worktrees. */
  readonly atEnd?: string | undefined;
  /** The runner of every task that names none, or several with commas between them. */
  readonly on?: string | undefined;
  /** Stays without a screen while pull requests on GitHub are open. */
  readonly watch?: boolean | undefined;
}

const atEndWays = ['ask', 'keep', 'merge', 'squash', 'pull-request'];

export const withFlags = (command: Command): Command =>
  command
    .addOption(
      new Option('--permissions <preset>', 'what agents may do without asking').choices([
        ...permissionPresets,
      ]),
    )
    .option('--agent <name>', 'who does the work; `script` runs the commands of a plan')
    .addOption(
      new Option(
        '--at-end <way>',
        'what happens to the branch at the end (with isolation: worktree)',
      ).choices(atEndWays),
    )
    .option('--on <runner>', 'where tasks run: a configured runner');

export const flagsOf = ({ permissions, agent, atEnd, on, watch }: Flags): Flags => ({
  ...(permissions === undefined ? {} : { permissions }),
  ...(agent === undefined ? {} : { agent }),
  ...(atEnd === undefined ? {} : { atEnd }),
  ...(on === undefined ? {} : { on }),
  ...(watch === true ? { watch } : {}),
});

/** The same flags as words of a command line. */
export const flagWords = ({ permissions, agent, atEnd, on, watch }: Flags): readonly string[] => [
  ...(permissions === undefined ? [] : ['--permissions', permissions]),
  ...(agent === undefined ? [] : ['--agent', agent]),
  ...(atEnd === undefined ? [] : ['--at-end', atEnd]),
  ...(on === undefined ? [] : ['--on', on]),
  ...(watch === true ? ['--watch'] : []),
];

/** The settings that flags stand for. `agent` is every role's; beside a plan the script Planner reads it, so that no agent replaces its tasks. */
export const flagSettings = (
  { permissions, agent, atEnd, on }: Flags,
  hasPlan: boolean,
): Readonly<Record<string, unknown>> => ({
  ...(permissions === undefined ? {} : { permissions }),
  ...(atEnd === undefined ? {} : { changes: { at_end: atEnd } }),
  ...(on === undefined ? {} : { on: { all: on } }),
  ...(agent === undefined
    ? {}
    : {
        roles: {
          ...Object.fromEntries(planningRoles.map((role) => [role, hasPlan ? 'script' : agent])),
          ...Object.fromEntries(workingRoles.map((role) => [role, agent])),
        },
      }),
});

const planningRoles = ['planner', 'questioner'] as const;
const workingRoles = ['executor', 'reviewer', 'librarian'] as const;

/** Parses an option's value: a number of at least 0. */
export const positiveNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError('expected a number above 0');
  return value;
};

/** Parses the number of an attempt: 1 or more. */
export const attemptNumber = (text: string): number => {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('expected an attempt number, 1 or more');
  return Number(text);
};

/** The commands that `--help` lists. Leaves out the `help` that commander adds to every command with subcommands. */
export const visibleIn = (command: Command): readonly Command[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((sub) => command.commands.includes(sub));
