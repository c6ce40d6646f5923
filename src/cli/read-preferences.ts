import { resolveSettings } from '../session/config.ts';
import type { SessionPaths } from '../session/paths.ts';
import type { Settings } from '../session/settings.ts';
import type { Preferences } from '../store/preferences.ts';
import type { Cli } from './cli.ts';
import { findLayers } from './load-settings.ts';
import { isKnownSession } from './trust-question.ts';
import type { World } from './world.ts';

/**
 * How whoever opens this screen wants it: their configuration as it is now, whatever the session was started with. Keys and notifications count
 * only as they set them, or as they were agreed to when the session began here: neither a workspace nor a session that nobody trusted yet gives
 * anybody other keys. What is wrong in a file is left out; `config check` says it.
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
