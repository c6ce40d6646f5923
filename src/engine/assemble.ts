import { formatFault, toFault } from '../base/fault.ts';
import { createRedact } from '../base/redact.ts';
import type { JournalWriter } from '../observability/journal.ts';
import type { Event } from '../pipeline/event.ts';
import type { Lock } from '../session/lock.ts';
import type { Mailbox } from '../signals/mailbox.ts';
import { actOn } from './act.ts';
import { createBroadcasts } from './broadcasts.ts';
import { createCheckpoints } from './checkpoint.ts';
import { createClaims } from './claims.ts';
import { cleanBody } from './clean.ts';
import { createClosing } from './closing.ts';
import { type Core, orchestrator } from './core.ts';
import { createDeliveries } from './deliveries.ts';
import type { EngineOptions, SessionEnd } from './engine.ts';
import { createInvocations } from './invocation.ts';
import { createLedger } from './ledger.ts';
import { createLoop, type Observer } from './loop.ts';
import { iterationSnapshot, metadataSnapshot } from './metadata-snapshot.ts';
import { beginAgain, beginNew } from './opening.ts';
import { createOrders } from './orders.ts';
import { perform } from './perform.ts';
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

export const assemble = ({
  options,
  lock,
  mailbox,
  journal,
  recalled,
  observers,
  ended,
}: HostParts): Host => {
  const { clock, disk, paths } = options;
  const redact = createRedact(options.secrets);
  const ledger = createLedger();
  const told = new Set<string>();
  let announcedGate: string | null = null;
  let opened: Promise<void> = Promise.resolve();

  const closing = createClosing({
    lock,
    journal,
    ended,
    parts: () => ({ loop, invocations, snapshots, release, opened: () => opened }),
  });

  const loop = createLoop({
    clock,
    journal,
    state: recalled?.state ?? null,
    observers,
    clean: cleanBody(redact),
    note: (event) => {
      ledger.note(event);
      closing.note(event);
      if (event.type === 'wave.chosen') lookForFiles(event);
    },
    poll: (checkpoint) => checkpoints.poll(orchestrator(core), checkpoint, true),
    rest: () => lookAtGate(),
    perform: (effect) => perform(performers, effect),
    stillOurs: () => lock.isStillOurs(),
    broken: closing.block,
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
    block: closing.block,
  };
  const claims = createClaims(core);
  const broadcasts = createBroadcasts(core, claims);
  const deliveries = createDeliveries(core, claims, broadcasts);
  const orders = createOrders(core, claims, actOn);
  const checkpoints = createCheckpoints({ core, claims, deliveries, orders, again: () => watch.look() });
  const snapshots = createSnapshots(core, [
    progressSnapshot(options),
    metadataSnapshot(options),
    iterationSnapshot(options),
  ]);
  const watch = createWatch(core, checkpoints, snapshots);
  const invocations = createInvocations({ core, checkpoints, deliveries, redact });
  const timers = createTimers({
    clock,
    later: loop.later,
    fired: (timer) => loop.commit({ type: 'timer.fired', timer }),
  });
  const { close } = closing;
  const performers = { core, orders, claims, broadcasts, invocations, snapshots, timers, watch, close };

  const release = (): void => {
    watch.stop();
    timers.disarmAll();
    snapshots.stop();
  };

  /** A task whose file is gone cannot be given to anybody (session-format.md, "Task definition missing"). */
  const lookForFiles = ({ tasks }: Extract<Event, { type: 'wave.chosen' }>): void => {
    for (const id of tasks) {
      const task = loop.state().tasks.get(id);
      const file = task && paths.iteration(task.definition.iteration).task(id);
      if (file && disk.lstat(file) === null) loop.commit({ type: 'task.file-missing', task: id });
    }
  };

  /** A gate that has just opened is a checkpoint: whoever sees it can decide at once. */
  const lookAtGate = (): boolean => {
    const { gate } = loop.state();
    if (gate?.gate !== 'knowledge' || gate.opened === announcedGate) return false;
    announcedGate = gate.opened;
    checkpoints.poll(orchestrator(core), 'Orchestrator.approval', true);
    return true;
  };

  const opening = { core, checkpoints, broadcasts, snapshots, watch };
  const begin = async (): Promise<void> => {
    try {
      if (recalled) await beginAgain(opening, recalled);
      else beginNew(opening);
    } catch (error) {
      closing.block(toFault(error, paths.directory));
    }
  };
  return {
    begin: () => {
      opened = begin();
      return opened;
    },
    wake: () => watch.look(),
    quit: closing.quit,
  };
};
