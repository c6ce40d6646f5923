import { FaultError } from '../../base/fault.ts';
import { resolveSettings } from '../../session/config.ts';
import type { Settings } from '../../session/settings.ts';
import type { Cli } from '../cli.ts';
import { findWorkspace } from '../session/find-workspace.ts';
import { loadConfiguration } from '../settings/load-settings.ts';
import { recallTrust } from '../trust/trust-memory.ts';
import { configSubject } from '../trust/trust-subjects.ts';
import type { World } from '../world.ts';

/**
 * The settings for talking with runners outside of a session. What a repository's own configuration says counts once a person has accepted it: a runner is a
 * command on another machine. Throws a `FaultError` for a runner `wanted` that only such a configuration names.
 */
export const acceptedSettings = (cli: Cli, world: World, wanted?: string): Settings => {
  const workspace = findWorkspace(cli.cwd);
  const { layers, settings } = loadConfiguration(cli, world, { workspace, attended: cli.hasPerson });
  const subject = configSubject(layers);
  if (subject === null || recallTrust(cli.env, world, workspace, subject.name)?.sha256 === subject.sha256)
    return settings;
  const own = resolveSettings(layers.filter(({ name }) => name !== 'workspace')).settings;
  if (wanted !== undefined && Object.hasOwn(settings.runners, wanted) && !Object.hasOwn(own.runners, wanted))
    throw new FaultError({
      code: 'runner-not-accepted',
      what: `runner ${wanted} is defined in the repository's ${subject.name}, which you have not accepted`,
      hint: 'run `ralph-tui run` to review and accept it',
    });
  return own;
};
