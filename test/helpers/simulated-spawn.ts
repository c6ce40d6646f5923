import type { Clock } from '../../src/base/clock.ts';
import type {
  Child,
  ChildExit,
  ProcessIdentity,
  Spawn,
  SpawnCommand,
  SpawnListener,
  StopReport,
} from '../../src/base/process/spawn.ts';

/** What a simulated program does; every field may be left out: it then ends at once with code 0. */
export interface SimulatedProgram {
  readonly output?: readonly {
    readonly afterMs?: number;
    readonly text: string;
    readonly stream?: 'stdout' | 'stderr';
  }[];
  /** How long it runs; `'forever'` until it is stopped. */
  readonly runsMs?: number | 'forever';
  /** An exit code, or the signal that ends it. */
  readonly exit?: number | { readonly signal: string };
  readonly ignoresTerm?: boolean;
  /** Processes that leave its group with `setsid` and live on until they are stopped. */
  readonly survivors?: number;
  /** Processes of which it cannot be shown that they are gone. */
  readonly unverifiable?: number;
  readonly notStarted?: string;
  /** What it does to the world when it ends by itself. */
  readonly effect?: () => void;
}

/** A machine with processes on a manual clock. They outlive the program that started them, as real ones do. */
export interface SimulatedSpawn extends Spawn {
  /** `boot`: of the machine whose program asks, here and below; default the one of `self`. */
  start(command: SpawnCommand, listen: SpawnListener, boot?: string): Child;
  stopMarked(markers: readonly string[], graceMs: number, boot?: string): Promise<StopReport>;
  /** Every command that was started, in order. */
  readonly started: readonly SpawnCommand[];
  /** Pids that run now, on any machine; without those of other programs. */
  readonly running: () => readonly number[];
  /** Those on the machine of `self`: nobody can see or stop the others. */
  readonly runningHere: () => readonly number[];
  /** Our own process dies and a new one starts: nobody listens to the children any more, `self` is somebody else. Other machines are off. */
  restart(): void;
  /**
   * The whole machine starts again: no process is left. `knowsItself`: as a container whose identity outlives it; else nobody can tell any more what became
   * of the processes before.
   */
  reboot(knowsItself?: boolean): void;
  /** A process of another program on this machine. `reuse`: another process gets its pid. */
  beside(): { readonly identity: ProcessIdentity; kill(): void; reuse(): void };
  /** From here on `self` is a program of another machine: it cannot see or stop what runs here, and what runs here lives on. */
  elsewhere(): void;
}

export interface SimulatedSpawnOptions {
  readonly clock: Clock;
  readonly program?: (command: SpawnCommand) => SimulatedProgram;
  /** Processes that nothing proves to be an agent's. */
  readonly possiblyLeft?: () => readonly number[];
}

interface Running {
  readonly boot: string;
  readonly pid: number;
  readonly startTime: string;
  readonly marker: string;
  readonly ignoresTerm: boolean;
  readonly unverifiable: boolean;
  readonly end: (exit: ChildExit) => void;
}

/** The marker of a process that nothing of ours started. */
const foreign = 'another program';

/** A child that ran out of time is given this long, as by `spawn.io.ts`. */
const timeoutGraceMs = 2_000;

export const createSimulatedSpawn = (options: SimulatedSpawnOptions): SimulatedSpawn => {
  const { clock } = options;
  const program = options.program ?? ((): SimulatedProgram => ({}));
  let boots = 1;
  const started: SpawnCommand[] = [];
  const processes = new Map<number, Running>();
  let lastPid = 1000;
  let generation = 0;

  const here = (): string => `00000000-0000-4000-8000-${String(boots).padStart(12, '0')}`;
  const identify = (boot = here()): ProcessIdentity => {
    lastPid += 1;
    return { boot, pidNamespace: 'pid:[1]', pid: lastPid, startTime: String(lastPid * 10) };
  };
  let self = identify();

  const ours = (): readonly Running[] => [...processes.values()].filter(({ marker }) => marker !== foreign);

  const add = (on: string, marker: string, traits: SimulatedProgram, end: Running['end']): Running => {
    const { boot, pid, startTime } = identify(on);
    const ignoresTerm = traits.ignoresTerm === true;
    const unverifiable = traits.unverifiable !== undefined;
    const running: Running = { boot, pid, startTime, marker, ignoresTerm, unverifiable, end };
    processes.set(pid, running);
    return running;
  };
  const kill = (victim: Running, signal: 'SIGTERM' | 'SIGKILL'): boolean => {
    if (victim.unverifiable || (signal === 'SIGTERM' && victim.ignoresTerm)) return false;
    if (processes.delete(victim.pid)) victim.end({ kind: 'signalled', signal });
    return true;
  };
  const stopWhere = (
    matches: (process: Running) => boolean,
    graceMs: number,
    boot = self.boot,
  ): Promise<StopReport> => {
    const victims = [...processes.values()].filter((process) => process.boot === boot && matches(process));
    const stubborn = victims.filter((victim) => !kill(victim, 'SIGTERM'));
    const report = (): StopReport => ({
      stopped: victims.filter((victim) => !processes.has(victim.pid)).map((victim) => victim.pid),
      unverified: victims.filter((victim) => processes.has(victim.pid)).map((victim) => victim.pid),
    });
    if (stubborn.length === 0) return Promise.resolve(report());
    return new Promise((resolve) => {
      clock.after(graceMs, () => {
        for (const victim of stubborn) kill(victim, 'SIGKILL');
        resolve(report());
      });
    });
  };

  const start: SimulatedSpawn['start'] = (command, listen, boot = self.boot): Child => {
    const script = program(command);
    started.push(command);
    if (script.notStarted !== undefined) return neverRan(script.notStarted);
    const born = generation;
    const heard = (): boolean => born === generation;
    let timedOut: Promise<StopReport> | null = null;
    let settle: (exit: ChildExit) => void = () => {};
    const exit = new Promise<ChildExit>((resolve) => {
      settle = resolve;
    });
    const cancels: (() => void)[] = [];
    const main = add(
      boot,
      command.marker,
      { ...(script.ignoresTerm ? { ignoresTerm: true } : {}) },
      (how) => {
        for (const cancel of cancels) cancel();
        if (!heard()) return;
        if (timedOut) void timedOut.then(() => settle({ kind: 'timed-out' }));
        else settle(how);
      },
    );
    for (let count = script.survivors ?? 0; count > 0; count -= 1) add(boot, command.marker, {}, () => {});
    for (let count = script.unverifiable ?? 0; count > 0; count -= 1)
      add(boot, command.marker, { unverifiable: 1 }, () => {});
    const stop = (graceMs: number): Promise<StopReport> =>
      stopWhere((process) => process.marker === command.marker, graceMs, main.boot);

    listen.started?.({ pid: main.pid, startTime: main.startTime });
    for (const { afterMs = 0, text, stream = 'stdout' } of script.output ?? [])
      cancels.push(
        clock.after(afterMs, () => {
          if (heard()) listen.output(new TextEncoder().encode(text), stream);
        }),
      );
    if (script.runsMs !== 'forever')
      cancels.push(
        clock.after(script.runsMs ?? 0, () => {
          // A machine that went down took it along.
          if (!processes.delete(main.pid)) return;
          script.effect?.();
          const how = script.exit ?? 0;
          main.end(typeof how === 'number' ? { kind: 'exited', code: how } : { kind: 'signalled', ...how });
        }),
      );
    if (command.timeoutMs !== undefined)
      cancels.push(
        clock.after(command.timeoutMs, () => {
          // Set before the first signal: the program may end on it at once.
          let done: (report: StopReport) => void = () => {};
          timedOut = new Promise((resolve) => {
            done = resolve;
          });
          void stop(timeoutGraceMs).then(done);
        }),
      );
    return { exit, stop, ...deaf };
  };

  return {
    started,
    start,
    running: () => ours().map(({ pid }) => pid),
    runningHere: () =>
      ours()
        .filter(({ boot }) => boot === self.boot)
        .map(({ pid }) => pid),
    possiblyLeft: () => [],
    survivors: (marker) => ({
      marked: [...processes.values()]
        .filter((process) => process.marker === marker && process.boot === self.boot)
        .map(({ pid }) => pid),
      possibly: options.possiblyLeft?.() ?? [],
    }),
    stopMarked: (markers, graceMs, boot) =>
      stopWhere((process) => markers.includes(process.marker), graceMs, boot),
    get self() {
      return self;
    },
    isAlive: (identity) => {
      if (identity.boot !== self.boot || identity.pidNamespace !== self.pidNamespace) return 'unknown';
      const startTime = identity.pid === self.pid ? self.startTime : processes.get(identity.pid)?.startTime;
      return startTime === identity.startTime ? 'alive' : 'dead';
    },
    beside: () => {
      const { boot, pidNamespace, pid, startTime } = identify();
      const appear = (start: string): void =>
        void processes.set(pid, {
          ...{ boot, pid, startTime: start, marker: foreign },
          ...{ ignoresTerm: true, unverifiable: true, end: () => {} },
        });
      appear(startTime);
      return {
        identity: { boot, pidNamespace, pid, startTime },
        kill: () => void processes.delete(pid),
        reuse: () => appear(`${startTime}9`),
      };
    },
    restart: () => {
      generation += 1;
      for (const { boot, pid } of processes.values()) if (boot !== self.boot) processes.delete(pid);
      self = identify();
    },
    reboot: (knowsItself = false) => {
      processes.clear();
      generation += 1;
      if (!knowsItself) boots += 1;
      self = identify();
    },
    elsewhere: () => {
      boots += 1;
      self = identify();
    },
  };
};

/** Simulated programs read no stdin. */
const deaf = { write: () => Promise.reject(new Error('its stdin is closed')), endInput: () => {} };

const neverRan = (reason: string): Child => ({
  exit: Promise.resolve({ kind: 'not-started', reason }),
  ...deaf,
  stop: () => Promise.resolve({ stopped: [], unverified: [] }),
});
