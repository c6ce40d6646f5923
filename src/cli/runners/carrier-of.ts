import type { Carrier } from '../../runners/carriers/carrier.ts';
import { createSshCarrier } from '../../runners/carriers/ssh.ts';
import type { RunnerSettings } from '../../session/settings/runners.ts';
import type { Settings } from '../../session/settings.ts';
import type { Cli } from '../cli.ts';
import { version } from '../version.ts';
import type { World } from '../world.ts';
import { containerCarrier } from './container-carrier.ts';
import { poolCarrier } from './pool-carrier.ts';
import type { RunnerNews } from './runner-news.ts';
import { sandboxCarrier } from './sandbox-carrier.ts';

/** The carrier that the entry of a runner names. */
export const carrierOf = (
  cli: Pick<Cli, 'env' | 'cwd'>,
  world: World,
  settings: Pick<Settings, 'agents' | 'roles'>,
  {
    name,
    entry,
    told,
  }: {
    readonly name: string;
    readonly entry: RunnerSettings;
    readonly told: RunnerNews;
  },
): Carrier =>
  'sandbox' in entry
    ? sandboxCarrier(cli, world, settings, { name, session: told.session }, entry)
    : 'container' in entry
      ? containerCarrier(cli, world, settings, name, entry)
      : 'pool' in entry
        ? poolCarrier(cli, world, { name, told }, entry)
        : createSshCarrier(
            { spawn: world.spawn, clock: world.clock, env: cli.env, cwd: cli.cwd },
            { name, alias: entry.ssh, command: entry.command ?? null, version },
          );
