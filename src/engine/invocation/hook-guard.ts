import { relative } from 'node:path';
import type { PermissionAsk } from '../../agents/permissions.ts';
import type { Core } from '../core.ts';
import { type ControlFile, controlChanges } from '../guards/control-files.ts';
import { hooksNow } from '../guards/hooks.ts';
import type { Active } from './active.ts';
import type { Permissions } from './permissions.ts';

/**
 * The hooks that git runs, and the settings that it includes (`include.path`). Those elsewhere than in `.git/hooks` (`core.hooksPath`: `.husky`,
 * `.githooks`) and `.git/config` may be an agent's work, so that they are not restored as these are. Before our commit step runs one that changed since the session's program began, a person sees it.
 */
export interface HookGuard {
  /** Why git may not commit, or `null`. Asks a person at the screen about hooks that changed. */
  refuses(active: Active): Promise<HookRefusal | null>;
}

interface HookRefusal {
  /** A clause. */
  readonly detail: string;
  /** The hooks, when nobody was there to ask. */
  readonly unseen?: readonly string[];
}

export const createHookGuard = (
  core: Core,
  permissions: Pick<Permissions, 'confirm' | 'whyNobody'>,
): HookGuard => {
  const { paths } = core.options;
  let known = core.hooksAtStart;
  return {
    refuses: async (active) => {
      // A hook may change again while a person looks at it.
      for (;;) {
        const now = hooksNow(core.options);
        const changes = controlChanges(known, now);
        if (changes.length === 0) return null;
        const names = changes.map(({ path }) => relative(paths.workspace, path));
        const diffs = changes.map(({ path, before, after }) => ({
          path,
          before: textOf(before),
          after: textOf(after),
        }));
        const answer = await permissions.confirm(active, 'git', questionOf(active, names, diffs));
        if (answer !== 'allow') return refusal(names.slice(0, 3), permissions.whyNobody());
        known = now;
      }
    },
  };
};

/** `nobody`: why no person could be asked. */
const refusal = (names: readonly string[], nobody: string | null): HookRefusal => ({
  detail: `it would run a hook or follow a setting that changed during the session, and ${nobody ?? 'you refused it'}: ${names.join(', ')}`,
  ...(nobody === null ? {} : { unseen: names }),
});

const questionOf = (
  { brief }: Active,
  names: readonly string[],
  diffs: PermissionAsk['diffs'],
): PermissionAsk => ({
  call: 'changed-hooks',
  kind: 'command',
  title: `Commit by hooks or settings that changed: ${names.join(', ')}`,
  command: 'git commit',
  directory: brief.workspace,
  paths: diffs.map(({ path }) => path),
  diffs,
  inside: false,
  ours: false,
  root: brief.workspace,
  notes: ['the commit runs hooks, or follows settings of git, that changed during the session'],
  memory: { partial: 'changed hooks and settings must be looked at each time' },
});

const textOf = (file: ControlFile | null): string =>
  file === null ? '' : file.kind === 'file' ? new TextDecoder().decode(file.bytes) : file.mark;
