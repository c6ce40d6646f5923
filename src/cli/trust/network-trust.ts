import { formatTimestamp } from '../../base/clock.ts';
import { sha256 } from '../../base/hash.io.ts';
import { acknowledgedFileName } from '../../session/guidance/acknowledged.ts';
import { guidanceFileName } from '../../session/guidance/guidance.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';
import { agreeTo, type Consent } from './ask-trust.ts';
import { rememberTrust, trustedNames } from './trust-memory.ts';
import type { Subject } from './trust-subjects.ts';

/**
 * Whether a scan of this workspace may use logins and the network: a person agreed to that, or trusted something that runs here. Guidance
 * is no such answer, because it only restricts.
 */
export const mayUseLogins = (env: Cli['env'], world: World, workspace: string): boolean =>
  trustedNames(env, world, workspace).some(
    (name) => name !== guidanceFileName && name !== acknowledgedFileName,
  );

/** Asks once for a workspace whether a scan may use logins and the network. `--yes` agrees; without a person the answer is no. */
export const askForLogins = async (
  cli: Cli,
  world: World,
  workspace: string,
  consent: Consent,
): Promise<boolean> => {
  if (mayUseLogins(cli.env, world, workspace)) return true;
  if (consent.yes) {
    const at = formatTimestamp(world.clock);
    rememberTrust(cli.env, world, { workspace, name: logins.name, sha256: logins.sha256, at });
    return true;
  }
  return consent.mayAsk && (await agreeTo(cli, world, { workspace, subjects: [logins] }, consent));
};

const logins: Subject = {
  name: 'logins and network',
  sha256: sha256('logins and network'),
  would: 'are used by this scan, which runs nothing from the repository',
  lines: [
    'asks gh, ssh-add, Doppler and 1Password whether you are logged in, each only if the repository uses it',
    'connects to the host of the remote, for at most 2 s',
  ],
};
