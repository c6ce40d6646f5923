import { join } from 'node:path';
import { type Fault, formatFault, toFault } from '../base/fault.ts';
import { createRedact } from '../base/redact.ts';
import type { ChosenIsolation } from '../changes/choose-isolation.ts';
import type { Door } from '../issues/team/door.ts';
import type { JournalWriter } from '../observability/journal.ts';
import type { Event } from '../pipeline/event.ts';
import { toJournaled } from '../pipeline/journaled-fault.ts';
import type { FlowStep } from '../pipeline/modes/flow/flow-state.ts';
import { pollTimerName } from '../pipeline/modes/flow/flow-state.ts';
import { startHeartbeat } from '../session/heartbeat.ts';
import type { Lock } from '../session/lock.ts';
import { withAuthors } from '../signals/mailbox/with-authors.ts';
import type { Mailbox } from '../signals/mailbox.ts';
import { createChangesSteps } from './changes/changes-steps.ts';
import { createOpenChanges } from './changes/open-changes.ts';
import { createWorktrees } from './changes/work-in-worktree.ts';
import { cleanBody } from './clean.ts';
import { createClosing } from './closing.ts';
import { type Core, orchestrator } from './core.ts';
import type { EngineOptions, RunnerBody, SessionEnd } from './engine.ts';
import { pollQuietly } from './flow/poll-quietly.ts';
import { takeFlowStep } from './flow/take-flow-step.ts';
import { createControlGuard } from './guards/guard-control-files.ts';
import { createEditedCommands } from './invocation/edited-commands.ts';
import { createInvocations } from './invocation/invocation.ts';
import { createOtherSessions, noOtherSessions } from './invocation/other-sessions.ts';
import { createPermissions, type Permissions } from './invocation/permissions.ts';
import { createSessionShadow, isStillHeld, noShadow } from './invocation/session-shadow.ts';
import { createInvocationTools } from './invocation/session-tools.ts';
import { createLoop, type Observer } from './loop.ts';
import { actOn } from './mailbox/act.ts';
import { createAuthors } from './mailbox/authors.ts';
import { createBroadcasts } from './mailbox/broadcasts.ts';
import { createCheckpoints } from './mailbox/checkpoint.ts';
import { createClaims } from './mailbox/claims.ts';
import { createDeliveries } from './mailbox/deliveries.ts';
import { withAgentsChecked } from './mailbox/edited-plan.ts';
import { createLedger } from './mailbox/ledger.ts';
import { createSessionSignals } from './mailbox/session-signals.ts';
import { createWatch } from './mailbox/watch.ts';
import { beginAgain, beginNew } from './opening.ts';
import { perform } from './perform.ts';
import type { Recalled } from './recovery.ts';
import { iterationSnapshot, metadataSnapshot } from './snapshots/metadata-snapshot.ts';
import { progressSnapshot } from './snapshots/progress-snapshot.ts';
import { createSnapshots } from './snapshots/snapshots.ts';
import { createTimers, type Timers } from './timers.ts';
import { createWorkspaceMarks } from './turns/workspace-marks.ts';
import { createForeignWorkers } from './workers/foreign-workers.ts';

/** A session whose lock is held. All parts are joined; nothing has started. */
export interface Host {
  /** Starts a new session or recovers one, then runs it. Resolves when the session runs. */
  begin(isolation?: ChosenIsolation): Promise<void>;
  wake(): void;
  noteRunner(body: RunnerBody): void;
  noteProblem(fault: Fault): void;
  quit(reason: string): Promise<void>;
  readonly permissions: Pick<Permissions, 'answer' | 'revoke'>;
  readonly workers: Door;
}

interface HostParts {
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
  mailbox: plain,
  journal,
  recalled,
  observers,
  ended,
}: HostParts): Host => {
  const { clock, disk, paths, spawn } = options;
  const redact = createRedact(options.secrets);
  const ledger = createLedger();
  const second = options.shadow;
  const shadow =
    second === undefined ? noShadow : createSessionShadow(disk, paths.directory, join(second, 'session'));
  const others =
    second === undefined
      ? noOtherSessions
      : createOtherSessions(disk, spawn.isAlive, paths, join(second, 'others'));
  const told = new Set<string>();
  let announcedGate: string | null = null;
  let opened: Promise<void> = Promise.resolve();

  const closing = createClosing({
    lock,
    journal,
    ended,
    parts: () => ({ loop, invocations, snapshots, release, opened: () => opened, idle: openChanges.idle }),
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
      tools.note(event);
      permissions.note(event);
      if (event.type === 'wave.chosen') lookForFiles(event);
    },
    poll: (checkpoint) => checkpoints.poll(orchestrator(core), checkpoint, true),
    rest: () => lookAtGate(),
    perform: (effect) => perform(performers, effect),
    stillOurs: () => isStillHeld(shadow, lock),
    broken: closing.block,
  });

  const mailbox = withAuthors(plain, createAuthors(options, loop.state));
  const core: Core = {
    options,
    loop,
    mailbox,
    ledger,
    epoch: lock.epoch,
    shadow,
    others,
    takeCut: () => journal.takeCut(),
    problem: (fault) => {
      const sentence = formatFault(fault);
      if (told.has(sentence)) return;
      told.add(sentence);
      loop.commit({ type: 'problem.found', fault: toJournaled(fault) });
    },
    block: closing.block,
  };
  const tools = createInvocationTools(core, redact);
  const claims = createClaims(core);
  const broadcasts = createBroadcasts(core, claims);
  const deliveries = createDeliveries(core, claims, broadcasts);
  const orders = createSessionSignals(core, claims, withAgentsChecked(actOn, core.options));
  const checkpoints = createCheckpoints({ core, claims, deliveries, orders, again: () => watch.look() });
  const snapshots = createSnapshots(
    core,
    [progressSnapshot(options), metadataSnapshot(options), iterationSnapshot(options)],
    (path, text) => invocations.overwrote(path, text),
  );
  const watch = createWatch(core, checkpoints, snapshots, () => invocations.notice());
  const permissions = createPermissions(core);
  const workers = createForeignWorkers(core);
  const edited = createEditedCommands(core, permissions);
  const guard = createControlGuard(core, snapshots.lookForEdits);
  const openChanges = createOpenChanges(core, guard.look);
  const steps = createChangesSteps(core, openChanges, orders.turned);
  const invocations = createInvocations({
    core,
    worktrees: createWorktrees(core, openChanges),
    checkpoints,
    deliveries,
    redact,
    tools,
    permissions,
    edited,
    guard,
  });
  const timers: Timers = createTimers({
    clock,
    later: loop.later,
    fired: (timer) => {
      if (timer !== pollTimerName || !options.flow) loop.commit({ type: 'timer.fired', timer });
      else pollQuietly({ core, port: options.flow, changes: openChanges, ours: invocations.ours }, timers);
    },
  });
  const { close } = closing;
  const look = createWorkspaceMarks(disk, paths.workspace, options.listFiles ?? (async () => null));
  const flowSteps = (step: FlowStep): void => {
    if (options.flow)
      takeFlowStep({ core, port: options.flow, changes: openChanges, ours: invocations.ours }, step);
    else core.block({ code: 'no-tracker', what: 'this program has no tracker for the session' });
  };
  const performers = {
    ...{ core, orders, claims, broadcasts, invocations, snapshots, timers, steps, watch, look, close },
    takeFlowStep: flowSteps,
  };

  const stopHeartbeat = startHeartbeat(disk, clock, paths, {
    isStillOurs: () => isStillHeld(shadow, lock),
    later: loop.later,
  });
  const release = (): void => {
    stopHeartbeat();
    watch.stop();
    timers.disarmAll();
    snapshots.stop();
  };

  /** Records tasks whose file is gone: no worker can take them (src/session/README.md, progress.md). */
  const lookForFiles = ({ tasks }: Extract<Event, { type: 'wave.chosen' }>): void => {
    for (const id of tasks) {
      const task = loop.state().tasks.get(id);
      const file = task && paths.iteration(task.definition.iteration).task(id);
      if (file && disk.lstat(file) === null) loop.commit({ type: 'task.file-missing', task: id });
    }
  };

  /** Treats a gate that has just opened as a checkpoint: an answer in the mailbox decides at once. */
  const lookAtGate = (): boolean => {
    const { gate } = loop.state();
    if (gate?.gate !== 'knowledge' || gate.opened === announcedGate) return false;
    announcedGate = gate.opened;
    checkpoints.poll(orchestrator(core), 'Orchestrator.approval', true);
    return true;
  };

  const opening = { core, checkpoints, claims, broadcasts, snapshots, watch };
  const begin = async (isolation?: ChosenIsolation): Promise<void> => {
    try {
      if (recalled) {
        await beginAgain(opening, recalled);
        workers.look();
      } else beginNew(opening, isolation);
    } catch (error) {
      closing.block(toFault(error, paths.directory));
    }
  };
  return {
    begin: (isolation) => {
      opened = begin(isolation);
      return opened;
    },
    wake: () => watch.look(),
    noteRunner: (body) => {
      if (loop.isOpen()) loop.run(() => loop.commit(body));
    },
    noteProblem: (fault) => {
      if (loop.isOpen()) loop.run(() => core.problem(fault));
    },
    quit: closing.quit,
    permissions,
    workers,
  };
};
