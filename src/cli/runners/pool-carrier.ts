import type { Carrier } from '../../runners/carriers/carrier.ts';
import { createPoolCarrier } from '../../runners/pool/pool-carrier.io.ts';
import type { RunnerSettings } from '../../session/settings/runners.ts';
import type { Cli } from '../cli.ts';
import { stateDirectory } from '../state-directory.ts';
import type { World } from '../world.ts';
import { acceptedKeys, identityIn, poolUrl } from './pool-login.ts';

/** The file with the secret key of this account as a host of pools, in our state directory. */
export const hostKeyFile = 'pool-host.key';

/** The runners of a pool. Its database is reached when the first link opens. */
export const poolCarrier = (
  cli: Pick<Cli, 'env' | 'cwd'>,
  world: World,
  {
    name,
    told,
  }: {
    readonly name: string;
    readonly told: {
      readonly session: { readonly session: string } | null;
      readonly claimed: (runner: string, invocation: string, number: number) => void;
    };
  },
  { pool, queue, accept = [] }: Extract<RunnerSettings, { pool: string }>,
): Carrier =>
  createPoolCarrier(world, {
    name,
    queue,
    session: told.session?.session ?? null,
    login: () => ({
      url: poolUrl(cli.env, world, pool),
      accept: acceptedKeys(cli.env, accept),
      identity: identityIn(world, stateDirectory(cli.env), hostKeyFile),
    }),
    claimed: (invocation, number) => told.claimed(name, invocation, number),
  });
