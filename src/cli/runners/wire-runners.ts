import type { PlaceOn } from '../../agents/placement.ts';
import { type Fault, FaultError } from '../../base/fault.ts';
import { createGit } from '../../changes/git/git.io.ts';
import type { Carrier } from '../../runners/carriers/carrier.ts';
import { createSshCarrier } from '../../runners/carriers/ssh.ts';
import type { Peer } from '../../runners/link/peer.io.ts';
import type { LinkState } from '../../runners/link/pipe.ts';
import { type Collected, collectLate } from '../../runners/remote/collect-late.ts';
import type { Described } from '../../runners/remote/connection.ts';
import { createRemoteBackend } from '../../runners/remote/remote-backend.ts';
import { createRunner, type Runner } from '../../runners/remote/runner.ts';
import { createHostCopy } from '../../runners/repository/host-copy.ts';
import type { RunnerSettings } from '../../session/settings/runners.ts';
import type { Settings } from '../../session/settings.ts';
import { knownAgents } from '../agents/known-agents.ts';
import { type Cli, valueOrExit } from '../cli.ts';
import { version } from '../version.ts';
import type { World } from '../world.ts';
import { containerCarrier } from './container-carrier.ts';
import { sandboxCarrier } from './sandbox-carrier.ts';

/** What the owner of the runners wants to hear. */
export interface RunnerNews {
  /** The session whose late work is collected; `null`: none. */
  readonly session: { readonly session: string; readonly workspace: string } | null;
  readonly changed: (runner: string, state: LinkState, described: Described | null) => void;
  /** A link is up. `late` takes over the late work of the session. */
  readonly reached: (
    runner: string,
    described: Described,
    late: () => Promise<readonly Collected[]>,
  ) => Promise<void>;
  readonly odd: (fault: Fault) => void;
}

const silent: RunnerNews = {
  session: null,
  changed: () => undefined,
  reached: () => Promise.resolve(),
  odd: () => undefined,
};

/** The runners of one program. Links open when something needs them. */
export interface Runners {
  readonly placeOn: PlaceOn;
  /** The runner of this name. Throws a `FaultError` with the known names. */
  of(name: string): Runner;
  /** Ends all links. */
  close(): void;
}

export const wireRunners = (
  cli: Pick<Cli, 'env' | 'cwd'>,
  world: World,
  settings: Pick<Settings, 'runners' | 'agents' | 'roles' | 'timeouts'>,
  told: RunnerNews = silent,
): Runners => {
  const opened = new Map<string, Runner>();
  const copy = createHostCopy({ ...world, git: createGit(cli.env) });
  const host = world.random.hex(16);
  const programs = [...new Set(knownAgents(settings).map(({ program }) => program))];
  const collect = (name: string, peer: Peer) =>
    told.session === null
      ? Promise.resolve([])
      : collectLate({ ...world, copy }, peer, { ...told.session, host }, (fault) =>
          told.odd({ ...fault, where: `runner ${name}` }),
        );
  const of = (name: string): Runner => {
    const known = opened.get(name);
    if (known) return known;
    const entry = Object.hasOwn(settings.runners, name) ? settings.runners[name] : undefined;
    if (entry === undefined) throw new FaultError(unknownRunner(name, settings));
    const runner = createRunner(
      {
        ...world,
        program: `ralph-tui ${version}`,
        programs,
        orphanAfterMs: settings.timeouts.orphan_after,
        ...told,
        reached: (of, described, peer) => told.reached(of, described, () => collect(of, peer)),
      },
      name,
      carrierOf(cli, world, settings, { name, entry, session: told.session }),
    );
    opened.set(name, runner);
    return runner;
  };
  return {
    of,
    placeOn: (backend, name) =>
      createRemoteBackend(
        {
          ...world,
          copy,
          host,
          orphanAfterMs: settings.timeouts.orphan_after,
          ignored: { workspace: told.session?.workspace ?? '', entries: settings.runners[name]?.copy ?? [] },
          fetches: isFetching(settings.runners[name]),
        },
        of(name),
        backend,
      ),
    close: () => {
      for (const runner of opened.values()) runner.close();
      opened.clear();
    },
  };
};

const isFetching = (entry: RunnerSettings | undefined): boolean =>
  entry !== undefined && 'fetch' in entry && entry.fetch === 'origin';

/** The entry of this name in the configuration. Without one the program ends with a usage error. */
export const configuredRunner = (name: string, settings: Pick<Settings, 'runners'>): RunnerSettings => {
  const entry = Object.hasOwn(settings.runners, name) ? settings.runners[name] : undefined;
  return entry ?? valueOrExit({ ok: false, faults: [unknownRunner(name, settings)] });
};

/** `others`: further names that count where this one was written. */
export const unknownRunner = (
  name: string,
  { runners }: Pick<Settings, 'runners'>,
  others: readonly string[] = [],
): Fault => ({
  code: 'unknown-runner',
  what: `unknown runner "${name}"`,
  hint:
    Object.keys(runners).length === 0
      ? 'name one in the configuration: runners: {gpu: {ssh: ALIAS}}'
      : `known: ${[...Object.keys(runners), ...others].join(', ')}`,
});

const carrierOf = (
  cli: Pick<Cli, 'env' | 'cwd'>,
  world: World,
  settings: Pick<Settings, 'agents' | 'roles'>,
  {
    name,
    entry,
    session,
  }: {
    readonly name: string;
    readonly entry: RunnerSettings;
    readonly session: RunnerNews['session'];
  },
): Carrier =>
  'sandbox' in entry
    ? sandboxCarrier(cli, world, settings, { name, session }, entry)
    : 'container' in entry
      ? containerCarrier(cli, world, settings, name, entry)
      : createSshCarrier(
          { spawn: world.spawn, clock: world.clock, env: cli.env, cwd: cli.cwd },
          { name, alias: entry.ssh, command: entry.command ?? null, version },
        );
