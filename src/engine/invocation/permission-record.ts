import type { PermissionAsk } from '../../agents/permissions.ts';
import { sha256 } from '../../base/hash.io.ts';

/** Limits of what the journal keeps of one request. A command is shown whole: one beyond its limit can be allowed once, and the rest is counted. */
export const longestText = 8_000;
const longestCommand = 65_536;
const mostDiffs = 10;
const mostPaths = 50;

/**
 * What "this session" is remembered by: the agent, and a hash of all of the request and of its place in the repository, which every attempt shares.
 * `null`: the request did not show all that it does.
 */
export const memoryKey = (agent: string, ask: PermissionAsk): string | null =>
  whyOnce(ask) === null && 'identity' in ask.memory
    ? sha256(JSON.stringify([agent, ask.memory.identity]))
    : null;

/** Why a request can only be allowed once, or `null`. */
const whyOnce = ({ memory, command }: PermissionAsk): string | null => {
  if ('partial' in memory) return memory.partial;
  return command !== null && command.length > longestCommand
    ? `the command is longer than ${longestCommand} characters`
    : null;
};

/** What the journal keeps of a request, and a person is shown. */
export const recordOf = (ask: PermissionAsk) => {
  const { call, kind, title, command, directory, paths, diffs, notes } = ask;
  const once = whyOnce(ask);
  return {
    call,
    kind,
    title: title.slice(0, longestText),
    command: command === null ? null : shownCommand(command),
    directory,
    paths: withRest(paths, mostPaths),
    diffs: diffs.slice(0, mostDiffs).map(({ path, before, after }) => ({
      path,
      before: before.slice(0, longestText),
      after: after.slice(0, longestText),
    })),
    ...(notes.length === 0
      ? {}
      : { notes: withRest(notes, mostPaths).map((note) => note.slice(0, longestText)) }),
    ...(once === null ? {} : { once }),
  };
};

const shownCommand = (command: string): string =>
  command.length <= longestCommand
    ? command
    : `${command.slice(0, longestCommand)}\n[${command.length - longestCommand} more characters are not shown]`;

const withRest = (all: readonly string[], most: number): readonly string[] =>
  all.length <= most ? all : [...all.slice(0, most), `and ${all.length - most} more`];
