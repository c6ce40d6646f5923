import type { CommitHook } from './changes-state.ts';

/** Says of the person's hooks that no commit of the session has passed them. `null` without one. */
export const unrunHooks = (hooks: readonly CommitHook[] = []): string | null => {
  if (hooks.length === 0) return null;
  const named = hooks.map(({ name, runs }) => (runs === null ? name : `${name} (\`${runs}\`)`)).join(', ');
  return `Commits of this session do not run your ${hooks.length === 1 ? 'hook' : 'hooks'} ${named}, which may refuse them later.`;
};
