import { type Configuration, resolveSettings } from '../../session/config.ts';
import type { Settings } from '../../session/settings.ts';
import type { Cli } from '../cli.ts';
import { findLayers } from '../settings/load-settings.ts';
import { trustQuestion } from '../trust/trust-question.ts';
import { configSubject } from '../trust/trust-subjects.ts';
import type { World } from '../world.ts';

type DiscoverySettings = Configuration['settings']['discovery'];

/**
 * Reads the settings of a workspace for a scan. The repository's own configuration counts only when a person
 * trusts its bytes: it could tell the scan to look away. Ignores faults of the files; `config check` and a
 * start report them.
 */
export const scanSettings = (
  cli: Cli,
  world: World,
  workspace: string,
  tell: (sentence: string) => void = cli.note,
): Settings => {
  const { layers } = findLayers(cli, world, { workspace, attended: cli.hasPerson });
  const config = configSubject(layers);
  const untrusted = config !== null && trustQuestion(cli.env, world, workspace, [config]) !== null;
  if (untrusted) tell(`ralph-tui: ${config.name} is not trusted yet, so this scan does not use it`);
  return resolveSettings(untrusted ? layers.filter(({ name }) => name !== 'workspace') : layers).settings;
};

/** The `discovery` part of `scanSettings`. */
export const discoverySettings = (...args: Parameters<typeof scanSettings>): DiscoverySettings =>
  scanSettings(...args).discovery;

/** Whether a source is switched on. */
export const isEnabled = (discovery: DiscoverySettings, name: string): boolean =>
  discovery.sources[name]?.enabled !== false;

/** Milliseconds for one source: its own timeout, but never more than the time all sources share. */
export const timeoutOf = (discovery: DiscoverySettings, name: string, sharedMs: number): number =>
  Math.min(discovery.sources[name]?.timeout ?? sharedMs, sharedMs);
