import { join } from 'node:path';
import { FaultError } from '../../base/fault.ts';
import { readText, writeNew } from '../../base/replace-file.ts';
import { createSecret, type Identity, identityOf, isPublicKey } from '../../runners/pool/keys.io.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';

/** The variables that `pool init` writes for a host or a runner. */
export const poolVariables = {
  url: 'RALPH_POOL_URL',
  accept: 'RALPH_POOL_ACCEPT',
  key: 'RALPH_POOL_KEY',
} as const;

/** The URL in the variable that `env:NAME` names. From here on its password is taken out of everything that is written. Throws a `FaultError` where it is not set. */
export const poolUrl = (env: Cli['env'], { learn }: Pick<World, 'learn'>, reference: string): string => {
  const name = reference.replace(/^env:/u, '');
  const url = env[name];
  if (url === undefined || url === '')
    throw new FaultError({
      code: 'pool-no-url',
      what: `the variable ${name} with the URL of the pool is not set`,
      hint: 'read the file that `ralph-tui pool init` wrote for this machine: `set -a; . FILE`',
    });
  const password = URL.canParse(url) ? new URL(url).password : '';
  learn([url, password, decodeURIComponent(password)].filter((secret) => secret.length >= 8));
  return url;
};

/** The public keys that count: those given, else those of the variable. Throws a `FaultError` where there is none, or one that is no key. */
export const acceptedKeys = (env: Cli['env'], given: readonly string[]): readonly string[] => {
  const keys = given.length > 0 ? given : (env[poolVariables.accept] ?? '').split(/[\s,]+/u).filter(Boolean);
  const wrong = keys.find((key) => !isPublicKey(key));
  if (keys.length > 0 && wrong === undefined) return keys;
  throw new FaultError({
    code: 'pool-no-key',
    what:
      wrong === undefined
        ? `no public key is accepted, neither here nor in ${poolVariables.accept}`
        : `"${wrong.slice(0, 80)}" is not a public key of a pool`,
    hint: '`ralph-tui pool init` prints the keys of both sides',
  });
};

/** The identity in a file of a directory; a new one is made where there is none. */
export const identityIn = ({ disk, random }: World, directory: string, name: string): Identity => {
  const file = join(directory, name);
  disk.mkdir(directory);
  if (disk.lstat(file) === null) writeNew(disk, random, file, `${createSecret()}\n`);
  const identity = identityOf(readText(disk, file, 1_000) ?? '');
  if (identity !== null) return identity;
  throw new FaultError({
    code: 'pool-key',
    what: 'the secret key of this machine cannot be read',
    where: file,
    hint: 'remove the file: a new key is made, which the other side has to accept',
  });
};
