import { formatFault } from '../base/fault.ts';
import { mergeCommand } from '../base/process/printed-command.ts';
import { safe } from '../base/safe.ts';
import { list } from '../base/sentence.ts';
import type { FinishHow } from '../pipeline/changes/changes-state.ts';
import type { SessionState } from '../pipeline/state.ts';
import { streamWords } from './stream-words.ts';

/**
 * Where the work of the session's worktrees is: merged into the person's branch or squashed onto it, or on a branch of its own, with the commands
 * for a pull request when those were asked for. `null`: there is none.
 */
export const selectTakenChanges = ({
  changes: { session, merges, finished },
}: Pick<SessionState, 'changes'>): {
  readonly branch: string;
  /** How the branch came onto the person's: "merged into your branch". `null`: it did not. */
  readonly taken: string | null;
  readonly commands: readonly string[];
  /** What a person runs to take it, in one line. */
  readonly take: string;
  /** What a person does before the commands: "first add a remote …"; '' for nothing. */
  readonly first: string;
} | null => {
  if (session === null || merges === 0) return null;
  const last = finished?.merges === merges ? finished : null;
  return {
    branch: session.branch,
    taken: last === null ? null : takenWords[last.how],
    commands: last?.commands ?? [],
    take: last === null || last.take.length === 0 ? mergeCommand(session.branch) : last.take.join(' && '),
    first: last?.noRemote
      ? addRemote
      : [firstWords(last?.inTheWay ?? []), unsavedWords(last?.unsaved ?? [])]
          .filter((words) => words !== '')
          .join('; '),
  };
};

/** A squash leaves the branch itself unmerged for git. */
const takenWords: { readonly [how in FinishHow]: string | null } = {
  merge: 'merged into your branch',
  squash: 'squashed onto your branch',
  keep: null,
  'pull-request': null,
};

const addRemote = 'first add a remote, as this repository has none (`git remote add origin URL`)';

/** Ignored files of the workspace that the command would overwrite. */
const firstWords = (files: readonly string[]): string =>
  files.length === 0
    ? ''
    : `first move ${list(files.map(safe), 3)} out of the way: git ignores ${files.length === 1 ? 'it' : 'them'} and would overwrite ${files.length === 1 ? 'it' : 'them'}`;

/** Changed and new files, which git does not merge over. */
const unsavedWords = (files: readonly string[]): string =>
  files.length === 0
    ? ''
    : `first commit, stash or move ${list(files.map(safe), 3)}, which the changes would overwrite`;

/** Where the merged work of worktrees is now, and what a person types to take it. `go`: `cd … && `, when that is not typed in the workspace. */
export const mergedWords = (session: SessionState, go: string): readonly string[] => {
  // In a flow each stream has a branch of its own.
  if (session.mode === 'flow') return streamWords(session, go);
  const changes = selectTakenChanges(session);
  if (changes === null) return [];
  const { branch, taken, commands, take, first } = changes;
  const [push, ...rest] = commands;
  if (push !== undefined)
    return [
      `The changes are on ${branch}. For a pull request${first === '' ? '' : `, ${first}, then`}:`,
      `${go}${push}`,
      ...rest,
    ];
  return [
    taken !== null
      ? `The changes from ${branch} are ${taken}`
      : `The changes are on ${branch}; ${first === '' ? '' : `${first}; then `}\`${go}${take}\` merges ${first === '' ? 'them' : 'the changes'}`,
  ];
};

/** Why each worktree that still holds what no commit has was kept, with its path and the remedy: one sentence each. */
export const selectKeptWorktrees = ({
  changes,
  problems,
}: Pick<SessionState, 'changes' | 'problems'>): readonly string[] => {
  const directories = [...changes.attempts.values()].flatMap(({ directory }) => directory ?? []);
  const isThere = (path: string): boolean =>
    directories.some((directory) => directory === path || directory.startsWith(`${path}/`));
  const kept = problems.filter(
    ({ code, what }) => code === 'kept' && isThere(what.split(' is kept:')[0] ?? ''),
  );
  return [...new Set(kept.map((fault) => safe(formatFault(fault))))];
};
