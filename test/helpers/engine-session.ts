import { createScriptBackend } from '../../src/agents/backends/script/create-script-backend.ts';
import { planSource } from '../../src/agents/backends/script/plan.ts';
import type { Backend } from '../../src/agents/port.ts';
import type { Clock } from '../../src/base/clock.ts';
import { sha256 } from '../../src/base/hash.io.ts';
import type { Spawn, SpawnCommand } from '../../src/base/process/spawn.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { Engine, EngineOptions, SessionEnd } from '../../src/engine/engine.ts';
import type { FlowPort } from '../../src/engine/flow/flow-port.ts';
import type { Event, EventOf, EventType } from '../../src/pipeline/event.ts';
import type { FlowStart } from '../../src/pipeline/modes/flow/flow-state.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { defaultSettings, type Settings } from '../../src/session/settings.ts';
import { createMailbox } from '../../src/signals/mailbox/create-mailbox.ts';
import type { Mailbox, Sign } from '../../src/signals/mailbox.ts';
import type { Signal } from '../../src/signals/signal.ts';
import { keptProofs } from './kept-proofs.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { createSeededRandom } from './seeded-random.ts';
import { createSimulatedDisk, SimulatedCrash, type SimulatedDisk } from './simulated-disk.ts';
import type { UnflushedChange } from './simulated-disk-pending.ts';
import { createSimulatedSpawn, type SimulatedProgram } from './simulated-spawn.ts';

export interface SessionOptions {
  readonly plan: string;
  readonly settings?: Partial<Settings>;
  readonly attended?: boolean;
  readonly flags?: EngineOptions['flags'];
  readonly program?: (command: SpawnCommand) => SimulatedProgram;
  readonly seed?: number;
  /** Beside the scripted one. */
  readonly backends?: readonly Backend[];
  /** Backends of one life of the program: made anew after each start, on a clock that stands still for the dead. */
  readonly livingBackends?: (clock: Clock, scripted: Backend) => readonly Backend[];
  readonly isAgreed?: EngineOptions['isAgreed'];
  /** Default: no records, every file counts. `kept`: what is published here has the record of a person, and what is only written has none. */
  readonly proofs?: 'kept';
  readonly agentProblem?: EngineOptions['agentProblem'];
  readonly guidance?: EngineOptions['guidance'];
  readonly guidanceNow?: EngineOptions['guidanceNow'];
  readonly shadow?: string;
  /** The prompt of a mode, for backends with a model. */
  readonly instructions?: EngineOptions['instructions'];
  /** Looks at every backend's calls; `isHeard`: they are those of the program that runs the session now. */
  readonly wrap?: (backend: Backend, isHeard: () => boolean) => Backend;
  /** Another session's clock and disk: both lie in one workspace. */
  readonly beside?: { readonly clock: ManualClock; readonly disk: SimulatedDisk };
  /** Git as one life of the program sees it, for worktrees. */
  readonly changes?: (clock: Clock, disk: SimulatedDisk, isHeard: () => boolean) => EngineOptions['changes'];
  /** Runs a loop over this file instead of the plan. */
  readonly focus?: string;
  /** Runs a flow over an issue instead of the plan. */
  readonly flow?: {
    readonly start: FlowStart;
    /** The tracker as one life of the program sees it; `isHeard`: that life runs the session now. */
    readonly port: (clock: Clock, disk: SimulatedDisk, isHeard: () => boolean) => FlowPort;
  };
  /** Default `260215-101500`. */
  readonly session?: string;
  /** Without it the poll alone finds what lies in the mailbox. */
  readonly watchMailbox?: EngineOptions['watchMailbox'];
}

/** A sender without a record: a program that writes files itself. */
export const forger = 'a program';

export type Watcher = (event: Event, state: SessionState) => void;

/** A whole session on simulated disk, clock and processes; the engine can be dropped and started again on the same disk. */
export const createSimulatedSession = (options: SessionOptions) => {
  const clock = options.beside?.clock ?? createManualClock();
  const disk = options.beside?.disk ?? createSimulatedDisk({ now: () => clock.now() });
  const spawn = createSimulatedSpawn({ clock, ...(options.program ? { program: options.program } : {}) });
  const random = createSeededRandom(options.seed ?? 1);
  const paths = sessionPaths('/work', options.session ?? '260215-101500');
  const settings: Settings = {
    ...defaultSettings,
    timeouts: { ...defaultSettings.timeouts, abort_grace: 1_000 },
    knowledge: { ...defaultSettings.knowledge, gate: 'always', approval_timeout: 0 },
    ...options.settings,
  };
  const mode = options.flow
    ? ({ mode: 'flow', flow: options.flow.start } as const)
    : options.focus === undefined
      ? {}
      : ({ mode: 'loop', focus: options.focus } as const);
  disk.mkdir(paths.directory);
  disk.put(planSource(paths.directory), options.plan);
  const events: Event[] = [];
  const watchers = new Set<Watcher>();
  const proofs = keptProofs();

  let generation = 0;
  /** Counts the machines that the session went on on, while the program before may live on. */
  let machine = 0;

  /** The clock and the processes as one life of the program sees them: after its death nothing calls it any more, and it stops nobody. */
  const mortal = () => {
    const born = generation;
    const isDead = () => disk.crashed() || generation !== born;
    const { self } = spawn;
    const own: { readonly clock: Clock; readonly spawn: Spawn } = {
      clock: {
        ...clock,
        after: (ms, run) =>
          clock.after(ms, () => {
            if (!isDead()) run();
          }),
      },
      spawn: {
        ...spawn,
        self,
        start: (command, listen) => {
          if (isDead()) throw new Error('this program is dead');
          return spawn.start(command, listen, self.boot);
        },
        stopMarked: (markers, graceMs) =>
          isDead() ? new Promise(() => {}) : spawn.stopMarked(markers, graceMs, self.boot),
      },
    };
    return { ...own, isDead };
  };

  const launch = (begin: EngineOptions['begin']) => {
    const life = mortal();
    const wrap = options.wrap ?? ((backend) => backend);
    const here = machine;
    const isHeard = (): boolean => !life.isDead() && here === machine;
    const scripted = createScriptBackend({
      disk,
      spawn: life.spawn,
      clock: life.clock,
      random,
      env: { PATH: '/bin' },
    });
    const engine = createEngine({
      disk,
      clock: life.clock,
      random,
      spawn: life.spawn,
      paths,
      backends: [
        scripted,
        ...(options.backends ?? []),
        ...(options.livingBackends?.(life.clock, scripted) ?? []),
      ].map((backend) => wrap(backend, isHeard)),
      begin,
      attended: options.attended ?? false,
      ...(options.flags ? { flags: options.flags } : {}),
      program: 'test',
      ...(options.isAgreed ? { isAgreed: options.isAgreed } : {}),
      proofs: options.proofs === 'kept' ? proofs : null,
      ...(options.agentProblem ? { agentProblem: options.agentProblem } : {}),
      ...(options.guidance ? { guidance: options.guidance } : {}),
      ...(options.guidanceNow ? { guidanceNow: options.guidanceNow } : {}),
      ...(options.shadow ? { shadow: options.shadow } : {}),
      ...(options.instructions ? { instructions: options.instructions } : {}),
      ...(options.flow ? { flow: options.flow.port(life.clock, disk, isHeard) } : {}),
      ...optional('changes', options.changes?.(life.clock, disk, isHeard)),
      ...(options.watchMailbox ? { watchMailbox: options.watchMailbox } : {}),
    });
    engine.subscribe((event, state) => {
      if (!isHeard()) return;
      events.push(event);
      for (const watcher of watchers) watcher(event, state);
    });
    return engine;
  };

  const sign: Sign = ({ id }, { from = 'kim@host' }) => {
    proofs.write(id, from);
    return { revoke: () => proofs.spend(id) };
  };
  let opened: { readonly pid: number; readonly box: Mailbox } | null = null;
  /** One for each life of the program: it knows what it read before. */
  const mailbox = (): Mailbox => {
    if (opened?.pid === spawn.self.pid) return opened.box;
    const box = createMailbox(disk, clock, random, {
      directory: paths.signals,
      owner: spawn.self,
      isAlive: spawn.isAlive,
      hash: sha256,
      spend: proofs.spend,
    });
    const signing: Mailbox = {
      ...box,
      publish: (signal) => (signal.from === forger ? box.publish(signal) : box.publish(signal, sign)),
    };
    opened = { pid: spawn.self.pid, box: signing };
    return signing;
  };

  const publish = (signal: Partial<Signal> & Pick<Signal, 'type'>): string => {
    const published = mailbox().publish({ target: 'ALL', ...signal });
    if ('code' in published) throw new Error(published.what);
    return published.id;
  };

  /** Moves the clock on until the engine has ended; throws when it does not. `each` may act between two steps, as a person would. */
  const settle = async (
    engine: Engine,
    each: () => void = () => {},
    limitMs = 3_600_000,
  ): Promise<SessionEnd> => {
    let end: SessionEnd | null = null;
    void engine.settled().then((value) => {
      end = value;
    });
    for (let spent = 0; spent < limitMs; spent += 250) {
      await clock.advanceAsync(250);
      if (disk.crashed()) throw new SimulatedCrash('settle');
      if (end !== null) return end;
      each();
    }
    const state = engine.state();
    throw new Error(
      `not settled: ${state.state} ${state.status} ${JSON.stringify([...state.invocations.values()])} ${JSON.stringify(events.slice(-5))}`,
    );
  };

  return {
    clock,
    disk,
    spawn,
    random,
    paths,
    settings,
    events,
    watchers,
    publish,
    /** A person stands behind a file that only lies in the mailbox. */
    confirm: proofs.write,
    mailbox,
    settle,
    /** `kill -9`: the engine is gone, its processes are not. With `lose` the power fails: un-flushed changes are lost where it says so, and every process is. */
    kill: (lose?: ((change: UnflushedChange) => boolean) | 'disk-lives-on'): void => {
      generation += 1;
      if (typeof lose === 'function') {
        disk.loseUnflushed(lose);
        spawn.reboot(true);
        return;
      }
      if (lose === undefined) disk.restart();
      spawn.restart();
    },
    /** The machine starts again; its disk is looked after by whoever does that. */
    reboot: (knowsItself = false): void => {
      generation += 1;
      spawn.reboot(knowsItself);
    },
    /** The session is about to go on on another machine, while the program here lives on without knowing: what it does now is not heard any more. */
    elsewhere: (): void => {
      machine += 1;
      spawn.elsewhere();
    },
    begin: (): Engine => launch({ kind: 'new', goal: 'a goal', source: 'plan', settings, ...mode }),
    resume: (takeOver = false): Engine => launch({ kind: 'resume', settings, takeOver }),
    /** The first event of a type that fits. */
    find: <T extends EventType>(type: T, fits: (event: EventOf<T>) => boolean = () => true) =>
      events.find((event): event is EventOf<T> => event.type === type && fits(event as EventOf<T>)),
    all: <T extends EventType>(type: T) => events.filter((event): event is EventOf<T> => event.type === type),
  };
};

const optional = (name: 'changes', value: EngineOptions['changes']): Pick<EngineOptions, 'changes'> =>
  value === undefined ? {} : { [name]: value };

export type SimulatedSession = ReturnType<typeof createSimulatedSession>;
