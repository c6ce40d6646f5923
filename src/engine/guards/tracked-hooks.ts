import { basename, dirname, join, relative, resolve } from 'node:path';
import type { PermissionAsk } from '../../agents/permissions.ts';
import type { Disk } from '../../base/disk.ts';
import { readText } from '../../base/replace-file.ts';
import type { Core } from '../core.ts';
import type { Active } from '../invocation/active.ts';
import type { Permissions } from '../invocation/permissions.ts';
import { type ControlFile, type ControlFiles, controlChanges, readFilesBelow } from './control-files.ts';
import { commonDirectory, repositoryOf } from './repository-of.ts';

/**
 * The hooks that git runs out of the work tree (`core.hooksPath`: `.husky`, `.githooks`). They may be an agent's work, so that they are not restored as those
 * below `.git` are. Before our commit step runs one that changed since the session's program began, a person sees it.
 */
export interface HookGuard {
  /** Why git may not commit, as a clause, or `null`. Asks a person at the screen about hooks that changed. */
  refuses(active: Active): Promise<string | null>;
}

export const createHookGuard = (core: Core, permissions: Pick<Permissions, 'confirm'>): HookGuard => {
  const { disk, paths } = core.options;
  let known = readTrackedHooks(disk, paths.workspace);
  return {
    refuses: async (active) => {
      const now = readTrackedHooks(disk, paths.workspace);
      const changes = controlChanges(known, now);
      if (changes.length === 0) return null;
      const names = changes.map(({ path }) => relative(paths.workspace, path));
      const diffs = changes.map(({ path, before, after }) => ({
        path,
        before: textOf(before),
        after: textOf(after),
      }));
      const answer = await permissions.confirm(active, 'git', questionOf(active, names, diffs));
      if (answer === 'allow') {
        known = now;
        return null;
      }
      const why = core.loop.state().attended ? 'you refused it' : 'nobody is at a screen to look at it';
      return `it would run a hook that changed during the session, and ${why}: ${names.slice(0, 3).join(', ')}`;
    },
  };
};

const questionOf = (
  { brief }: Active,
  names: readonly string[],
  diffs: PermissionAsk['diffs'],
): PermissionAsk => ({
  call: 'changed-hooks',
  kind: 'command',
  title: `Commit, and run hooks that changed: ${names.join(', ')}`,
  command: 'git commit',
  directory: brief.workspace,
  paths: diffs.map(({ path }) => path),
  diffs,
  inside: false,
  ours: false,
  root: brief.workspace,
  notes: ['the commit runs hooks that changed during the session'],
  memory: { partial: 'changed hooks must be looked at each time' },
});

/** The files of the directory that `core.hooksPath` names, when it is in the work tree. */
export const readTrackedHooks = (disk: Disk, workspace: string): ControlFiles => {
  const repository = repositoryOf(disk, workspace);
  if (repository === null) return new Map();
  const { root, git } = repository;
  const named = ['config', 'config.worktree'].flatMap((name) =>
    hooksPathsIn(disk, join(commonDirectory(disk, git), name)),
  );
  const inside = named
    .map((path) => resolve(root, path))
    // husky names `.husky/_`, whose generated files run those beside it.
    .map((path) => (basename(path) === '_' ? dirname(path) : path))
    .filter((path) => path.startsWith(`${root}/`) && !path.startsWith(`${git}/`));
  return readFilesBelow(disk, root, inside);
};

const hooksPathsIn = (disk: Disk, file: string): readonly string[] => {
  const text = disk.lstat(file) === null ? '' : (readText(disk, file, 1_048_576) ?? '');
  return [...text.matchAll(/^[ \t]*hookspath[ \t]*=[ \t]*"?([^"\n;#]+?)"?[ \t]*$/gimu)].flatMap(
    ([, path]) => path ?? [],
  );
};

const textOf = (file: ControlFile | null): string =>
  file === null ? '' : file.kind === 'file' ? new TextDecoder().decode(file.bytes) : file.mark;
