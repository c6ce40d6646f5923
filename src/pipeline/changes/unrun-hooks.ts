import type { CommitHook } from './changes-state.ts';

/** Says of the person's hooks that no commit of the session has passed them. `null` without one. */
export const unrunHooks = (hooks: readonly CommitHook[] = []): string | null => {
  if (hooks.length === 0) return null;
  const named = hooks.map(({ name, runs }) => (runs === null ? name : `${name} (\`${runs}\`)`)).join(', ');
  return hooks.length === 1
    ? `Your hook ${named} runs on no commit of the session and may refuse its work.`
    : `Your hooks ${named} run on no commit of the session and may refuse its work.`;
};
