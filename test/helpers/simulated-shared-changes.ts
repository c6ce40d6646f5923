import type { SessionChanges } from '../../src/changes/port.ts';
import type { Result } from '../../src/changes/result.ts';
import type { SimulatedDisk } from './simulated-disk.ts';
import { changesBetween, put, type SimulatedGit } from './simulated-git.ts';

/** A shared workspace on a simulated disk: attempts are only recorded. */
export const simulatedShared = (
  { disk, git }: { readonly disk: SimulatedDisk; readonly git: SimulatedGit },
  workspace: string,
  ok: <T>(work: () => T) => Promise<Result<T>>,
): Partial<SessionChanges> => {
  const files = (): readonly string[] =>
    disk.tree(workspace).filter((path) => !path.endsWith('/') && !path.includes('/.ralph-sessions/'));
  const record = (): string =>
    put(git, new Map(files().map((path) => [path.slice(workspace.length + 1), disk.text(path)])));
  return {
    isolation: 'shared',
    worktree: null,
    snapshot: () => ok(() => ({ commit: record(), problems: [], repositories: [] })),
    changedFiles: ({ from, to }) => ok(() => changesBetween(git, from, to)),
    ignored: () => ok(() => []),
  };
};
