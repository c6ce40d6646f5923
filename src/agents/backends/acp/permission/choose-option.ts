import type { PermissionOption } from '../link.ts';

/**
 * Chooses the option for a decision by its kind, never by its id. Prefers "once", because an agent may write its "always" into its own settings.
 * Gives `null` if the agent offers no such kind; the request is then cancelled.
 */
export const chooseOption = (options: readonly PermissionOption[], allow: boolean): string | null =>
  options.find(({ kind }) => kind === (allow ? 'allow_once' : 'reject_once'))?.id ?? null;
