import { join } from 'node:path';
import { FaultError } from '../../base/fault.ts';
import { readText, replaceFile } from '../../base/replace-file.ts';
import { openDatabase } from '../../runners/pool/database.io.ts';
import { installPool } from '../../runners/pool/install.io.ts';
import { createSecret, identityOf } from '../../runners/pool/keys.io.ts';
import { hostRole, runnerRole } from '../../runners/pool/schema.ts';
import type { Cli } from '../cli.ts';
import { hostKeyFile } from '../runners/pool-carrier.ts';
import { identityIn, poolUrl, poolVariables } from '../runners/pool-login.ts';
import { stateDirectory } from '../state-directory.ts';
import type { World } from '../world.ts';

/** A pool that is ready: what a host and a runner need is in a file each, for this account only. */
export interface MadePool {
  readonly hostFile: string;
  readonly runnerFile: string;
  readonly hostKey: string;
  readonly runnerKey: string;
  readonly queue: string;
}

/**
 * Makes the tables, roles and keys of a pool in the database that `reference` names, or completes them. Passwords and keys that were made before stay: hosts
 * and runners have them.
 */
export const initPool = async (
  cli: Pick<Cli, 'env'>,
  world: World,
  {
    reference,
    queue,
    directory,
  }: { readonly reference: string; readonly queue: string; readonly directory: string },
): Promise<MadePool> => {
  const { disk, random } = world;
  const url = poolUrl(cli.env, world, reference);
  const database = openDatabase(url, 1);
  const [hostFile, runnerFile] = [join(directory, 'host.env'), join(directory, 'runner.env')];
  const known = [hostFile, runnerFile].map((file) => readVariables(readText(disk, file, 10_000) ?? ''));
  refuseOther(url, known, directory);
  const passwordOf = (at: number): string =>
    passwordIn(known[at]?.get(poolVariables.url) ?? '') ?? random.hex(32);
  const passwords = { host: passwordOf(0), runner: passwordOf(1) };
  const secret = known[1]?.get(poolVariables.key) ?? createSecret();
  const runnerKey = identityOf(secret)?.publicKey ?? '';
  const hostKey = identityIn(world, stateDirectory(cli.env), hostKeyFile).publicKey;
  try {
    await installPool(database, queue, passwords);
  } finally {
    await database.close();
  }
  disk.mkdir(directory);
  const write = (file: string, variables: Readonly<Record<string, string>>): void =>
    replaceFile(
      disk,
      random,
      file,
      `${Object.entries(variables)
        .map(([name, value]) => `${name}='${value}'`)
        .join('\n')}\n`,
    );
  write(hostFile, {
    [poolVariables.url]: urlFor(url, hostRole, passwords.host),
    [poolVariables.accept]: runnerKey,
  });
  write(runnerFile, {
    [poolVariables.url]: urlFor(url, runnerRole, passwords.runner),
    [poolVariables.accept]: hostKey,
    [poolVariables.key]: secret,
  });
  return { hostFile, runnerFile, hostKey, runnerKey, queue };
};

const urlFor = (url: string, user: string, password: string): string => {
  const made = new URL(url);
  made.username = user;
  made.password = password;
  return made.href.replaceAll("'", '%27');
};

const passwordIn = (url: string): string | null =>
  URL.canParse(url) && new URL(url).password !== '' ? new URL(url).password : null;

/** The variables of a file that a shell reads. */
export const readVariables = (text: string): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(/^(\w+)='([^']*)'$/gmu)].map(([, name = '', value = '']) => [name, value]));

/** The files of one pool would be lost if another one took their place. */
const refuseOther = (url: string, known: readonly ReadonlyMap<string, string>[], directory: string): void => {
  const isSame = (other: string): boolean =>
    URL.canParse(other) &&
    new URL(other).host === new URL(url).host &&
    new URL(other).pathname === new URL(url).pathname;
  if (known.every((file) => isSame(file.get(poolVariables.url) ?? url))) return;
  throw new FaultError({
    code: 'pool-other',
    what: 'the files of another pool are already there',
    where: directory,
    hint: 'name a directory for this one with --out',
  });
};
