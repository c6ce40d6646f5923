import { type Fault, formatFault, toFault } from '../base/fault.ts';
import { createRedact } from '../base/redact.ts';
import type { JournalWriter } from '../observability/journal.ts';
import { ends, stopped } from '../pipeline/ends.ts';
import type { Event } from '../pipeline/event.ts';
import { settleInvocations } from '../pipeline/settle-invocations.ts';
import type { SignalLife } from '../pipeline/state.ts';
import type { Lock } from '../session/lock.ts';
import type { Mailbox } from '../signals/mailbox.ts';
import { actOn } from './act.ts';
import { createBroadcasts } from './broadcasts.ts';
import { createCheckpoints } from './checkpoint.ts';
import { createClaims } from './claims.ts';
import { cleanBody } from './clean.ts';
import { type Core, orchestrator } from './core.ts';
import { createDeliveries } from './deliveries.ts';
import type { EngineOptions, SessionEnd } from './engine.ts';
import { createInvocations } from './invocation.ts';
import { createLedger } from './ledger.ts';
import { createLoop, type Observer } from './loop.ts';
import { iterationSnapshot, metadataSnapshot } from './metadata-snapshot.ts';
import { perform } from './perform.ts';
import { sweepLeftovers } from './prepare.ts';
import { progressSnapshot } from './progress-snapshot.ts';
import type { Recalled } from './recovery.ts';
import { createSnapshots } from './snapshots.ts';
import { createTimers } from './timers.ts';
import { createWatch } from './watch.ts';

/** A session whose lock is held: all parts joined, nothing begun. */
export interface Host {
  /** New session or recovery, then the run; resolves when it runs. */
  begin(): Promise<void>;
  wake(): void;
  quit(reason: string): Promise<void>;
}

export interface HostParts {
  readonly options: EngineOptions;
  readonly lock: Lock;
  readonly mailbox: Mailbox;
  readonly journal: JournalWriter;
  readonly recalled: Recalled | null;
  readonly observers: Set<Observer>;
  readonly ended: (end: SessionEnd) => void;
}

export const assemble = (parts: HostParts): Host => {
  const { options, lock, mailbox, journal, recalled } = parts;
  const { clock, paths, spawn } = options;
  const redact = createRedact(options.secrets);
  const ledger = createLedger();
  const told = new Set<string>();
  let blocked: Fault | null = null;
  let announcedGate: string | null = null;
  let unverified: readonly number[] = [];
  let finished = false;

  const note = (event: Event): void => {
    ledger.note(event);
    if (event.type === 'processes.stopped') unverified = event.unverified;
    if (event.type === 'wave.chosen') lookForFiles(event.tasks);
  };

  /** A task whose file is gone cannot be given to anybody (session-format.md, "Task definition missing"). */
  const lookForFiles = (tasks: readonly string[]): void => {
    for (const id of tasks) {
      const task = loop.state().tasks.get(id);
      const file = task && paths.iteration(task.definition.iteration).task(id);
      if (file && options.disk.lstat(file) === null) loop.commit({ type: 'task.file-missing', task: id });
    }
  };

  /** A gate that has just opened is a checkpoint: whoever sees it can decide at once. */
  const rest = (): boolean => {
    const gate = loop.state().gate;
    if (gate?.gate !== 'knowledge' || gate.opened === announcedGate) return false;
    announcedGate = gate.opened;
    checkpoints.poll(orchestrator(core), 'Orchestrator.approval', true);
    return true;
  };

  const finish = (end: Omit<SessionEnd, 'unverified'>): void => {
    if (finished) return;
    finished = true;
    watch.stop();
    timers.disarmAll();
    snapshots.stop();
    quietly(() => loop.close());
    quietly(() => journal.close());
    quietly(() => lock.release());
    parts.ended({ ...end, unverified });
  };

  const close = (): void => {
    if (blocked) return;
    const { status, stopReason } = loop.state();
    finish({ status, reason: stopReason ?? '', exitCode: exitCode });
  };

  let exitCode = 1;

  /** The session cannot go on. What runs is stopped; nothing more is written than a disk or a lost lock allows. */
  const block = (fault: Fault): void => {
    if (blocked || finished) return;
    blocked = fault;
    const sentence = formatFault(fault);
    loop.freeze();
    const record = fault.code === 'lock-lost' ? loop.announce : loop.commit;
    if (loop.begun()) {
      record({ type: 'problem.found', fault: { ...fault } });
      record(stopped(loop.state(), ends.blocked(sentence)));
    }
    const stop = loop.begun()
      ? invocations.stopAll('quit')
      : Promise.resolve({ stopped: [], unverified: [] });
    const end = (): void => {
      if (fault.code !== 'lock-lost') quietly(() => snapshots.write(true));
      finish({ status: 'blocked', reason: sentence, exitCode: 1 });
    };
    stop.then((report) => {
      unverified = report.unverified;
      end();
    }, end);
  };

  const loop = createLoop({
    clock,
    journal,
    state: recalled?.state ?? null,
    observers: parts.observers,
    clean: cleanBody(redact),
    note: (event) => {
      if (event.type === 'session.stopped') exitCode = event.exit_code;
      note(event);
    },
    poll: (checkpoint) => checkpoints.poll(orchestrator(core), checkpoint, true),
    rest,
    perform: (effect) => perform(performers, effect),
    stillOurs: () => lock.isStillOurs(),
    broken: block,
  });

  const core: Core = {
    options,
    loop,
    mailbox,
    ledger,
    epoch: lock.epoch,
    problem: (fault) => {
      const sentence = formatFault(fault);
      if (told.has(sentence)) return;
      told.add(sentence);
      loop.commit({ type: 'problem.found', fault: { ...fault } });
    },
    block,
  };
  const claims = createClaims(core);
  const broadcasts = createBroadcasts(core, claims);
  const deliveries = createDeliveries(core, claims, broadcasts);
  const checkpoints = createCheckpoints({
    core,
    claims,
    deliveries,
    act: actOn,
    again: () => watch.look(),
  });
  const snapshots = createSnapshots(core, [
    progressSnapshot(options),
    metadataSnapshot(options),
    iterationSnapshot(options),
  ]);
  const watch = createWatch(core, checkpoints);
  const invocations = createInvocations({ core, checkpoints, deliveries, redact });
  const timers = createTimers({
    clock,
    later: loop.later,
    fired: (timer) => loop.commit({ type: 'timer.fired', timer }),
  });
  const performers = { core, checkpoints, claims, broadcasts, invocations, snapshots, timers, close };

  const started = (reason: 'run' | 'resume'): void => {
    loop.commit({
      type: 'session.started',
      reason,
      pid: spawn.self.pid,
      epoch: lock.epoch,
      program: options.program,
      settings: options.begin.settings,
      attended: options.attended,
    });
  };

  const beginNew = (): void => {
    if (options.begin.kind !== 'new') return;
    const { goal, source, settings } = options.begin;
    const { session, workspace } = paths;
    loop.run(() => {
      loop.commit({ type: 'session.created', session_id: session, workspace, goal, source, settings });
      started('run');
      watch.start();
    });
  };

  const beginAgain = async (known: Recalled): Promise<void> => {
    // What dead invocations left running is stopped before their attempts are settled.
    const markers = known.dead.map((id) => `${paths.session}/${id}`);
    const grace = options.begin.settings.timeouts.abort_grace;
    const report = markers.length > 0 ? await spawn.stopMarked(markers, grace) : null;
    for (const event of known.events) ledger.note(event);
    loop.run(() => {
      started('resume');
      for (const fault of known.problems) core.problem(fault);
      if (report)
        loop.commit({
          type: 'processes.stopped',
          reason: 'recovery',
          stopped: [...report.stopped],
          unverified: [...report.unverified],
        });
      for (const invocation of known.dead)
        loop.commit({ type: 'invocation.interrupted', invocation, reason: 'crash' });
      sweepLeftovers(options);
      mailbox.sweepTemporary();
      checkpoints.recover(options.begin.kind === 'resume' && options.begin.takeOver);
      broadcasts.recover();
      watch.reconcile(unsettled);
      snapshots.restore(known.snapshots);
      watch.start();
    });
  };

  const quit = async (reason: string): Promise<void> => {
    if (blocked || finished || loop.state().abort) return;
    loop.freeze();
    const report = await invocations.stopAll('quit');
    if (finished) return;
    loop.run(() => {
      if (report.stopped.length + report.unverified.length > 0)
        loop.commit({
          type: 'processes.stopped',
          reason: 'quit',
          stopped: [...report.stopped],
          unverified: [...report.unverified],
        });
      settleAll();
      loop.commit(stopped(loop.state(), ends.quit(reason)));
    });
  };

  /** What came back is settled, so that no file says `[/]` of what nobody works on. */
  const settleAll = (): void => {
    for (;;) {
      const step = settleInvocations(loop.state());
      if (step === null || step === 'wait' || step.type === 'session.stopped') return;
      if (!loop.commit(step)) return;
    }
  };

  return {
    begin: async () => {
      try {
        if (recalled) await beginAgain(recalled);
        else beginNew();
      } catch (error) {
        block(toFault(error, paths.directory));
      }
    },
    wake: () => watch.look(),
    quit,
  };
};

const unsettled: ReadonlySet<SignalLife['stage']> = new Set<SignalLife['stage']>([
  'pending',
  'claimed',
  'delivered',
]);

/** The end comes whatever else fails; what failed has been told already. */
const quietly = (work: () => void): void => {
  try {
    work();
  } catch {
    // A full disk or a lost lock is why we are here.
  }
};
