import { markerOf } from '../agents/marker.ts';
import type { Fault } from '../base/fault.ts';
import type { ChosenIsolation } from '../changes/choose-isolation.ts';
import { saysSomething } from '../session/guidance/guidance.ts';
import { formatOwner } from '../signals/mailbox/owner.ts';
import { peekRested } from '../signals/mailbox/peek-all.ts';
import type { Core } from './core.ts';
import type { EngineOptions } from './engine.ts';
import type { Backlog } from './mailbox/backlog.ts';
import type { Broadcasts } from './mailbox/broadcasts.ts';
import type { Checkpoints } from './mailbox/checkpoint.ts';
import type { Claims } from './mailbox/claims.ts';
import type { Deliveries } from './mailbox/deliveries.ts';
import { sweepSignals } from './mailbox/sweep.ts';
import type { Watch } from './mailbox/watch.ts';
import { sweepLeftovers } from './prepare.ts';
import type { Recalled } from './recovery.ts';
import type { Snapshots } from './snapshots/snapshots.ts';

interface Opening {
  readonly core: Core;
  readonly checkpoints: Checkpoints;
  readonly backlog: Backlog;
  readonly claims: Claims;
  readonly broadcasts: Broadcasts;
  readonly deliveries: Deliveries;
  readonly snapshots: Snapshots;
  readonly watch: Watch;
}

/** The first facts of a new session; everything else follows from them. */
export const beginNew = ({ core, watch }: Opening, chosen?: ChosenIsolation): void => {
  const { loop, options } = core;
  if (options.begin.kind !== 'new') return;
  const { goal, source, settings, mode, focus, flow } = options.begin;
  const { session, workspace } = options.paths;
  loop.run(() => {
    loop.commit({
      type: 'session.created',
      session_id: session,
      workspace,
      goal,
      source,
      ...(mode === undefined ? {} : { mode }),
      ...(focus === undefined ? {} : { focus }),
      ...(flow === undefined ? {} : { flow }),
      settings,
      ...(chosen === undefined ? {} : { isolation: chosen.isolation }),
    });
    started(core, 'run');
    if (chosen && chosen.reason !== null) core.problem({ code: 'isolation', what: chosen.reason });
    watch.start();
  });
};

/**
 * Recovers a session (src/engine/README.md, Crash recovery). First stops and verifies processes of dead invocations, then settles their
 * attempts. Then handles claims of dead owners, broadcasts, signals that others handled meanwhile, and people's edits of our files.
 */
export const beginAgain = async (opening: Opening, known: Recalled): Promise<void> => {
  const { core, checkpoints, broadcasts, snapshots, watch } = opening;
  const { loop, ledger, mailbox, options } = core;
  for (const event of known.events) ledger.note(event);
  // This look must be complete: a session that ends at once has no other. Waits for files that may still grow.
  await peekRested(mailbox, options.clock);
  // The program died before it executed this ABORT. Stop leftover processes too, also of invocations that ended long ago.
  const left = known.state.abort ? ledger.invocations() : known.dead;
  const markers = [
    ...left.map((invocation) => markerOf({ sessionDirectory: options.paths.directory, invocation })),
    // An agent that waited for its next work belongs to an invocation that has ended.
    ...ledger.markers(),
  ];
  const grace = options.begin.settings.timeouts.abort_grace;
  const [report, unsure] = await Promise.all([
    markers.length > 0 ? options.spawn.stopMarked(markers, grace) : null,
    stopOnRunners(options, known),
  ]);
  loop.run(() => {
    started(core, 'resume');
    for (const fault of [...known.problems, ...unsure]) core.problem(fault);
    if (report !== null && (left.length > 0 || report.stopped.length + report.unverified.length > 0))
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
    // A DRAIN stops only the program that runs when it is sent.
    sweepSignals(opening, {
      type: 'sweep-signals',
      why: 'session-start',
      reason: 'no process was running the session when it was sent',
    });
    watch.reconcile();
    snapshots.restore(known.snapshots);
    watch.start();
  });
};

/** The same on the runners where they worked: `stopMarked` sees this machine alone. */
const stopOnRunners = async (
  { stopOnRunners: stop }: EngineOptions,
  { state, dead }: Recalled,
): Promise<readonly Fault[]> => {
  const runners = new Set(dead.flatMap((id) => state.invocations.get(id)?.runner ?? []));
  return runners.size === 0 || stop === undefined ? [] : stop([...runners]);
};

const started = ({ options, loop, epoch }: Core, reason: 'run' | 'resume'): void => {
  const earlier = options.earlier?.();
  loop.commit({
    type: 'session.started',
    reason,
    pid: options.spawn.self.pid,
    epoch,
    owner: formatOwner(options.spawn.self),
    program: options.program,
    settings: options.begin.settings,
    attended: options.attended,
    ...(options.cores === undefined ? {} : { cores: options.cores }),
    ...(earlier === undefined || earlier.usual === null ? {} : { earlier }),
    ...(options.flags === undefined ? {} : { flags: options.flags }),
    ...(options.begin.preset === undefined ? {} : { preset: options.begin.preset }),
    ...(options.guidance && saysSomething(options.guidance) ? { guidance: options.guidance } : {}),
  });
  // After a power loss the next engine must recognise these claims as ours.
  loop.flush();
};
