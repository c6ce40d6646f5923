import type { Preferences } from '../../../components/ports/preferences.ts';
import { resolveSettings } from '../../session/config.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { Settings } from '../../session/settings.ts';
import type { Cli } from '../cli.ts';
import { findLayers } from '../settings/load-settings.ts';
import { isKnownSession } from '../trust/trust-question.ts';
import type { World } from '../world.ts';

/**
 * The screen preferences of this person: the configuration of now, not of the session's start. Keys and
 * notifications come only from the person's own file, or from a session that was started or trusted here. An
 * untrusted workspace or session must not change anybody's keys. Ignores faults of the files; `config check`
 * reports them.
 */
export const readPreferences = (
  cli: Cli,
  world: World,
  workspace: string,
  session: { readonly paths: SessionPaths; readonly settings: Settings } | null,
): Preferences => {
  const { layers } = findLayers(cli, world, {
    workspace,
    attended: true,
    ...(session ? { session: session.paths } : {}),
  });
  const began =
    session === null
      ? []
      : [{ name: 'defaults', file: null, line: null, values: { ui: session.settings.ui } } as const];
  const own = layers.find(({ name }) => name === 'user')?.values.ui;
  const { ui } = resolveSettings([...began, ...layers]).settings;
  const isOurs = session !== null && isKnownSession(cli.env, world, session.paths);
  const known = resolveSettings(isOurs ? began : []).settings.ui;
  return { ...ui, keys: own?.keys ?? known.keys, notify: own?.notify ?? known.notify };
};
