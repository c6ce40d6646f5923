import { relative } from 'node:path';
import type { PermissionAsk } from '../../agents/permissions.ts';
import type { Core } from '../core.ts';
import { type ControlFile, controlChanges } from '../guards/control-files.ts';
import { readTrackedHooks } from '../guards/tracked-hooks.ts';
import type { Active } from './active.ts';
import type { Permissions } from './permissions.ts';

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
      const why = core.loop.state().attended ? 'you refused it' : 'there is no screen to show it on';
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

const textOf = (file: ControlFile | null): string =>
  file === null ? '' : file.kind === 'file' ? new TextDecoder().decode(file.bytes) : file.mark;
