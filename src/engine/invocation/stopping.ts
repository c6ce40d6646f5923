import { markerOf } from '../../agents/marker.ts';
import type { InvocationId } from '../../agents/port.ts';
import { afterAwake } from '../../base/after-awake.ts';
import { toFault } from '../../base/fault.ts';
import type { StopReport } from '../../base/process/spawn.ts';
import type { EventBody } from '../../pipeline/event.ts';
import type { Core } from '../core.ts';
import type { Active } from './active.ts';
import { type StopReason, stopBody } from './invocation-facts.ts';

/** Stops invocations and verifies that their processes are gone. Never rejects, and takes at most a little longer than the grace. */
interface Stopping {
  /** `verified` gets what became of its processes, before its end is recorded. Called once. */
  one(active: Active, reason: StopReason, verified: (report: StopReport) => void): void;
  /** Stops what the work of this ended invocation left running. */
  left(invocation: InvocationId): Promise<StopReport>;
  all(actives: readonly Active[], reason: 'abort' | 'quit'): Promise<StopReport>;
}

/** Milliseconds after the grace to wait for an agent or a machine that does not respond. */
const patienceMs = 1_000;
/** The same for a runner that is reachable: its answer comes over a link, after it looked for its processes. */
const runnerPatienceMs = 5_000;

const nothing: StopReport = { stopped: [], unverified: [] };

interface Ports {
  readonly core: Core;
  readonly close: (active: Active, body: EventBody) => void;
}

export const createStopping = (core: Core, close: Ports['close']): Stopping => {
  const ports = { core, close };
  return {
    one: (active, reason, verified) => {
      stopOne(ports, active, reason, verified).catch((error: unknown) =>
        core.problem(toFault(error, active.brief.invocation)),
      );
    },
    left: (invocation) => sweep(core, [invocation]),
    all: async (actives, reason) => {
      // Includes invocations that ended long ago: a command may have left a process behind.
      const sweeping = sweep(core, core.ledger.invocations(), core.ledger.markers());
      const unreached = await Promise.all(actives.map((active) => halt(ports, active, reason, sweeping)));
      return withUnreached(await sweeping, unreached);
    },
  };
};

const stopOne = async (
  ports: Ports,
  active: Active,
  reason: StopReason,
  verified: (report: StopReport) => void,
): Promise<void> => {
  const { loop } = ports.core;
  const own = sweep(ports.core, [active.brief.invocation]);
  // A runner's agents are gone when the runner says so: its evidence comes with the end of the work.
  const isHere = active.brief.runner === undefined;
  const sweeping = own.then((report) => {
    if (isHere) verified(report);
    return report;
  });
  const unreached = await halt(ports, active, reason, sweeping);
  const { stopped, unverified } = await sweeping;
  if (!isHere) verified(withUnreached({ stopped, unverified }, [unreached]));
  if (unverified.length > 0 && loop.isOpen() && !loop.state().abort)
    loop.run(() =>
      loop.commit({
        type: 'processes.stopped',
        reason,
        stopped: [...stopped],
        unverified: [...unverified],
      }),
    );
};

/** Stops the processes that carry the marks of these invocations, or one of `more`. */
const sweep = (
  core: Core,
  invocations: readonly InvocationId[],
  more: ReadonlySet<string> = new Set(),
): Promise<StopReport> => {
  if (invocations.length === 0) return Promise.resolve(nothing);
  const { options, loop } = core;
  const markers = invocations.flatMap((invocation) => {
    const own = markerOf({ sessionDirectory: options.paths.directory, invocation });
    // Its agent may have been started by earlier work, and carries that one's.
    const { marker } = loop.state().invocations.get(invocation)?.agent ?? { marker: null };
    return marker === null || marker === own ? [own] : [own, marker];
  });
  const all = [...new Set([...markers, ...more])];
  return patiently(core, () => options.spawn.stopMarked(all, graceOf(core)), {
    stopped: [],
    unverified: knownPids(core, invocations),
  });
};

/** Pids of running commands, for the case that the stop could not be verified. */
const knownPids = ({ loop }: Core, invocations: readonly InvocationId[]): readonly number[] =>
  invocations.flatMap((id) => loop.state().invocations.get(id)?.command?.pid ?? []);

/** Asks a worker to stop and ends its invocation. Resolves with the runner that was not reached, or `null`. */
const halt = async (
  { core, close }: Ports,
  active: Active,
  reason: StopReason,
  sweeping: Promise<unknown>,
): Promise<string | null> => {
  const { loop, options } = core;
  active.stop ??= reason;
  active.ends.abort();
  const why = reason === 'abort' ? 'abort' : 'cancel';
  const { runner } = active.brief;
  const isReachable = runner !== undefined && !loop.state().runners.get(runner)?.lost;
  const stop = async (): Promise<null> => {
    await active.worker?.stop(why);
    return null;
  };
  const told = patiently(core, stop, runner ?? null, isReachable ? runnerPatienceMs : patienceMs);
  const [unreached] = await Promise.all([told, sweeping]);
  // A stopped procedure gets one turn of the event loop to end by itself with its results.
  await new Promise<void>((resolve) => options.clock.after(0, resolve));
  if (!active.over && active.ending) await patiently(core, () => Promise.allSettled([active.ending]), null);
  if (!active.over && loop.isOpen())
    loop.run(() => close(active, stopBody(active.brief, active.stop ?? reason)));
  return unreached;
};

/** The result, or `late` after the grace and `patience` or a failure. A failure is reported as a problem. */
const patiently = <T, L>(
  core: Core,
  work: () => Promise<T>,
  late: L,
  patience = patienceMs,
): Promise<T | L> =>
  new Promise((resolve) => {
    const cancel = afterAwake(core.options.clock, graceOf(core) + patience, () => resolve(late));
    const end = (value: T | L): void => {
      cancel();
      resolve(value);
    };
    Promise.resolve()
      .then(work)
      .then(end, (error: unknown) => {
        core.problem(toFault(error, 'stopping processes'));
        end(late);
      });
  });

const graceOf = ({ loop }: Core): number => loop.state().settings.timeouts.abort_grace;

const withUnreached = (report: StopReport, names: readonly (string | null)[]): StopReport => {
  const unreached = [...new Set(names.flatMap((name) => name ?? []))];
  return unreached.length === 0 ? report : { ...report, unreached };
};
