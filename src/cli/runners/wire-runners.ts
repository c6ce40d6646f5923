import type { PlaceOn } from '../../agents/placement.ts';
import type { Backend } from '../../agents/port.ts';
import { FaultError, toFault } from '../../base/fault.ts';
import { createGit } from '../../changes/git/git.io.ts';
import { withoutFilters } from '../../changes/git/without-filters.ts';
import type { Carrier } from '../../runners/carriers/carrier.ts';
import type { Peer } from '../../runners/link/peer.io.ts';
import { type Collected, collectLate } from '../../runners/remote/collect-late.ts';
import { createRemoteBackend } from '../../runners/remote/remote-backend.ts';
import { createRunner, type Runner } from '../../runners/remote/runner.ts';
import { createHostCopy, type HostCopy } from '../../runners/repository/host-copy.ts';
import type { RunnerSettings } from '../../session/settings/runners.ts';
import type { Settings } from '../../session/settings.ts';
import { knownAgents } from '../agents/known-agents.ts';
import type { Cli } from '../cli.ts';
import { version } from '../version.ts';
import type { World } from '../world.ts';
import { carrierOf } from './carrier-of.ts';
import { unknownRunner } from './configured-runner.ts';
import { type RunnerNews, silent } from './runner-news.ts';

/** The runners of one program. Links open when something needs them. */
export interface Runners {
  readonly placeOn: PlaceOn;
  /** The runner of this name. Throws a `FaultError` with the known names. */
  of(name: string): Runner;
  /** Those of this name that earlier processes of the session may have left at work. */
  earlier(name: string): Promise<readonly Runner[]>;
  /** Ends all links. */
  close(): void;
}

export const wireRunners = (
  cli: Pick<Cli, 'env' | 'cwd'>,
  world: World,
  settings: Wired['settings'],
  told: RunnerNews = silent,
): Runners => {
  const copy = createHostCopy({ ...world, git: withoutFilters(createGit(cli.env)) });
  const wired: Wired = {
    ...{ cli, world, settings, told, copy },
    host: world.random.hex(16),
    programs: [...new Set(knownAgents(settings).map(({ program }) => program))],
    carriers: new Map(),
    opened: new Set(),
    collecting: new Map(),
  };
  const byName = new Map<string, Runner>();
  const of = (name: string): Runner => {
    const runner = byName.get(name) ?? openRunner(wired, name);
    byName.set(name, runner);
    return runner;
  };
  return {
    of,
    earlier: async (name) => {
      const entry = settings.runners[name];
      if (entry === undefined || !('pool' in entry)) return [of(name)];
      const links = await carrierNamed(wired, name, entry).left?.();
      return (links ?? []).map((link) => openRunner(wired, name, link));
    },
    placeOn: (backend, name) => {
      const entry = settings.runners[name];
      const ports = {
        ...{ ...world, copy, host: wired.host },
        orphanAfterMs: settings.timeouts.orphan_after,
        ignored: { workspace: told.session?.workspace ?? '', entries: entry?.copy ?? [] },
        fetches: isFetching(entry),
        offers: entry !== undefined && 'pool' in entry,
      };
      if (entry === undefined || 'ssh' in entry) return createRemoteBackend(ports, of(name), backend);
      return inItsOwn(wired, name, backend, (runner) => createRemoteBackend(ports, runner, backend));
    },
    close: () => {
      for (const runner of wired.opened) runner.close();
      wired.opened.clear();
      byName.clear();
      for (const carrier of wired.carriers.values()) carrier.close?.();
    },
  };
};

/** What the runners of one program share. */
interface Wired {
  readonly cli: Pick<Cli, 'env' | 'cwd'>;
  readonly world: World;
  readonly settings: Pick<Settings, 'runners' | 'agents' | 'roles' | 'timeouts'>;
  readonly told: RunnerNews;
  readonly copy: HostCopy;
  /** A random name of this process. */
  readonly host: string;
  readonly programs: readonly string[];
  readonly carriers: Map<string, Carrier>;
  readonly opened: Set<Runner>;
  /** The late work that fences of a name left, while it is brought. */
  readonly collecting: Map<string, Promise<readonly Collected[]>>;
}

/** The runner of this name, by a link of its own, or by that of a fence that left work. Throws a `FaultError` with the known names. */
const openRunner = (wired: Wired, name: string, link?: string): Runner => {
  const { world, settings, told } = wired;
  const entry = Object.hasOwn(settings.runners, name) ? settings.runners[name] : undefined;
  if (entry === undefined) throw new FaultError(unknownRunner(name, settings));
  const carrier = carrierNamed(wired, name, entry);
  const runner = createRunner(
    {
      ...world,
      program: `ralph-tui ${version}`,
      programs: wired.programs,
      orphanAfterMs: settings.timeouts.orphan_after,
      ...told,
      ...(link === undefined ? {} : { link, changed: () => undefined }),
      reached: (of, described, peer) =>
        link === undefined
          ? told.reached(of, described, async () => [
              ...(await collect(wired, of, peer)),
              ...(await collectLeft(wired, of, carrier)),
            ])
          : Promise.resolve(),
    },
    name,
    carrier,
  );
  wired.opened.add(runner);
  return runner;
};

const carrierNamed = (
  { cli, world, settings, told, carriers }: Wired,
  name: string,
  entry: RunnerSettings,
): Carrier => {
  const carrier = carriers.get(name) ?? carrierOf(cli, world, settings, { name, entry, told });
  carriers.set(name, carrier);
  return carrier;
};

const collect = async (
  { world, copy, told, host }: Wired,
  name: string,
  peer: Peer,
): Promise<readonly Collected[]> =>
  told.session === null
    ? []
    : collectLate({ ...world, copy }, peer, { ...told.session, host }, (fault) =>
        told.odd({ ...fault, where: `runner ${name}` }),
      );

/** Late work of fences that were killed: each lies where only a fence of its own link finds it. */
const collectLeft = async (wired: Wired, name: string, { left }: Carrier): Promise<readonly Collected[]> => {
  const { collecting } = wired;
  if (collecting.has(name)) return [];
  const bring = async (): Promise<readonly Collected[]> => {
    const all: Collected[] = [];
    for (const link of (await left?.()) ?? []) {
      const runner = openRunner(wired, name, link);
      try {
        all.push(...(await collect(wired, name, await runner.ready())));
      } catch (error) {
        // The others are brought all the same.
        wired.told.odd({ ...toFault(error), where: `late work from runner ${name}` });
      } finally {
        closeOne(wired, runner);
      }
    }
    return all;
  };
  const brought = bring().finally(() => collecting.delete(name));
  collecting.set(name, brought);
  return brought;
};

/** A fence for each invocation: what an agent leaves running there ends with it, and nothing of it is beside what proves the attempt. */
const inItsOwn = (
  wired: Wired,
  name: string,
  backend: Backend,
  placed: (runner: Runner) => Backend,
): Backend => ({
  ...backend,
  start: (brief, host) => {
    const runner = openRunner(wired, name);
    const worker = placed(runner).start(brief, host);
    return {
      ...worker,
      end: async () => {
        try {
          await worker.end?.();
        } finally {
          closeOne(wired, runner);
        }
      },
    };
  },
});

const closeOne = ({ opened }: Wired, runner: Runner): void => {
  runner.close();
  opened.delete(runner);
};

const isFetching = (entry: RunnerSettings | undefined): boolean =>
  entry !== undefined && 'fetch' in entry && entry.fetch === 'origin';
