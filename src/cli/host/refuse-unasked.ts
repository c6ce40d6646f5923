import type { Settings } from '../../session/settings.ts';
import { Exit, exitCodes, usage } from '../cli.ts';

/**
 * Refuses `ask` without a screen. Agents ask for permissions only on a screen (src/agents/README.md, ACP
 * flow, step 6). Without one a preset must be chosen, because `ask` would stop the work at once. Script roles
 * never ask.
 */
export const refuseUnasked = (
  {
    settings,
    flags,
  }: {
    readonly settings: Pick<Settings, 'permissions' | 'roles'>;
    readonly flags: { readonly permissions?: string | undefined };
  },
  how: { readonly background: boolean; readonly attended: boolean },
): void => {
  const hasAgents = Object.values(settings.roles).some((name) => name !== 'script');
  if (!hasAgents || (how.attended && !how.background)) return;
  if (how.background && settings.permissions === 'ask')
    throw usage(
      'permission requests can be answered only on a screen, and a background session starts without one',
      'choose a preset that asks for less (`--permissions edits`, `workspace` or `all`), or leave --background out',
      'permissions-need-a-screen',
    );
  // What the configuration says was accepted, or this program would not have got here.
  if (!how.attended && settings.permissions === 'ask' && flags.permissions === undefined)
    throw new Exit(exitCodes.waits, {
      code: 'needs-permissions',
      what: 'agents ask for permission, but there is no terminal to answer in',
      hint: 'say what they may do without asking, with --permissions edits, workspace or all, or by `permissions` in the configuration',
    });
};
