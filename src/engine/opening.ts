import { markerOf } from '../agents/marker.ts';
import type { SignalLife } from '../pipeline/state.ts';
import { formatOwner } from '../signals/owner.ts';
import type { Broadcasts } from './broadcasts.ts';
import type { Checkpoints } from './checkpoint.ts';
import type { Core } from './core.ts';
import { sweepLeftovers } from './prepare.ts';
import type { Recalled } from './recovery.ts';
import type { Snapshots } from './snapshots.ts';
import type { Watch } from './watch.ts';

interface Opening {
  readonly core: Core;
  readonly checkpoints: Checkpoints;
  readonly broadcasts: Broadcasts;
  readonly snapshots: Snapshots;
  readonly watch: Watch;
}

/** The first facts of a new session; everything else follows from them. */
export const beginNew = ({ core, watch }: Opening): void => {
  const { loop, options } = core;
  if (options.begin.kind !== 'new') return;
  const { goal, source, settings } = options.begin;
  const { session, workspace } = options.paths;
  loop.run(() => {
    loop.commit({ type: 'session.created', session_id: session, workspace, goal, source, settings });
    started(core, 'run');
    watch.start();
  });
};

/**
 * Recovery (engine.md, Crash recovery): what dead invocations left running is stopped and verified before their attempts are settled; then claims of dead
 * owners, broadcasts, signals that others handled meanwhile, and what people changed in our files.
 */
export const beginAgain = async (
  { core, checkpoints, broadcasts, snapshots, watch }: Opening,
  known: Recalled,
): Promise<void> => {
  const { loop, ledger, mailbox, options } = core;
  for (const event of known.events) ledger.note(event);
  // An ABORT that the program did not live to carry out stops what commands left behind as well, also of invocations that ended long ago.
  const left = known.state.abort ? ledger.invocations() : known.dead;
  const markers = left.map((invocation) =>
    markerOf({ sessionDirectory: options.paths.directory, invocation }),
  );
  const grace = options.begin.settings.timeouts.abort_grace;
  const report = markers.length > 0 ? await options.spawn.stopMarked(markers, grace) : null;
  loop.run(() => {
    started(core, 'resume');
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

const started = ({ options, loop, epoch }: Core, reason: 'run' | 'resume'): void => {
  loop.commit({
    type: 'session.started',
    reason,
    pid: options.spawn.self.pid,
    epoch,
    owner: formatOwner(options.spawn.self),
    program: options.program,
    settings: options.begin.settings,
    attended: options.attended,
  });
  // Whoever comes after a power loss has to know whose claims these are.
  loop.flush();
};

const unsettled: ReadonlySet<SignalLife['stage']> = new Set<SignalLife['stage']>([
  'pending',
  'claimed',
  'delivered',
]);
