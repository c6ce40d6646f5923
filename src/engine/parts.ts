import type { Redact } from '../base/redact.ts';
import type { FlowStep } from '../pipeline/modes/flow/flow-state.ts';
import { pollTimerName } from '../pipeline/modes/flow/flow-state.ts';
import { createChangesSteps } from './changes/changes-steps.ts';
import { createOpenChanges } from './changes/open-changes.ts';
import { createWorktrees } from './changes/work-in-worktree.ts';
import type { Core } from './core.ts';
import { heldPort } from './flow/held-port.ts';
import { pollQuietly } from './flow/poll-quietly.ts';
import { takeFlowStep } from './flow/take-flow-step.ts';
import { createControlGuard } from './guards/guard-control-files.ts';
import { createEditedCommands } from './invocation/edited-commands.ts';
import { createInvocations } from './invocation/invocation.ts';
import { createPermissions } from './invocation/permissions.ts';
import { createInvocationTools } from './invocation/session-tools.ts';
import { actOn } from './mailbox/act.ts';
import { createBacklog } from './mailbox/backlog.ts';
import { createBroadcasts } from './mailbox/broadcasts.ts';
import { createCheckpoints } from './mailbox/checkpoint.ts';
import { createClaims } from './mailbox/claims.ts';
import { createDeliveries } from './mailbox/deliveries.ts';
import { withAgentsChecked } from './mailbox/edited-plan.ts';
import { createSessionSignals } from './mailbox/session-signals.ts';
import { createWatch } from './mailbox/watch.ts';
import { iterationSnapshot, metadataSnapshot } from './snapshots/metadata-snapshot.ts';
import { progressSnapshot } from './snapshots/progress-snapshot.ts';
import { createSnapshots } from './snapshots/snapshots.ts';
import { createTimers, type Timers } from './timers.ts';
import { createWorkspaceMarks } from './turns/workspace-marks.ts';
import { createForeignWorkers } from './workers/foreign-workers.ts';

/** The parts of one engine, joined around its core. Each is made after those that it needs; a few call a later one when they run. */
export const createParts = (core: Core, redact: Redact) => {
  const { options, loop } = core;
  const { clock, disk, paths } = options;
  const tools = createInvocationTools(core, redact);
  const backlog = createBacklog(core);
  const claims = createClaims(core, backlog);
  const broadcasts = createBroadcasts(core, claims, backlog);
  const deliveries = createDeliveries(core, claims, broadcasts);
  const orders = createSessionSignals(core, claims, withAgentsChecked(actOn, options));
  const checkpoints = createCheckpoints({ core, claims, deliveries, orders, again: () => watch.look() });
  const snapshots = createSnapshots(
    core,
    [progressSnapshot(options), metadataSnapshot(options), iterationSnapshot(options)],
    (path, text) => invocations.overwrote(path, text),
  );
  const watch = createWatch(core, checkpoints, snapshots, () => invocations.notice());
  const permissions = createPermissions(core);
  const guard = createControlGuard(core, snapshots.lookForEdits);
  const changes = createOpenChanges(core, guard.look);
  const invocations = createInvocations({
    core,
    worktrees: createWorktrees(core, changes),
    checkpoints,
    deliveries,
    redact,
    tools,
    permissions,
    edited: createEditedCommands(core, permissions),
    guard,
  });
  const flow = options.flow && {
    core,
    port: heldPort(options.flow, core.isStillOurs, guard.look),
    changes,
    ours: invocations.ours,
  };
  const timers: Timers = createTimers({
    clock,
    later: loop.later,
    fired: (timer) => {
      if (timer !== pollTimerName || !flow) loop.commit({ type: 'timer.fired', timer });
      else pollQuietly(flow, timers);
    },
  });
  return {
    core,
    tools,
    backlog,
    claims,
    broadcasts,
    deliveries,
    orders,
    checkpoints,
    snapshots,
    watch,
    permissions,
    changes,
    invocations,
    timers,
    workers: createForeignWorkers(core),
    steps: createChangesSteps(core, changes, orders.turned),
    look: createWorkspaceMarks(disk, paths.workspace, options.listFiles ?? (async () => null)),
    takeFlowStep: (step: FlowStep): void => {
      if (flow) takeFlowStep(flow, step);
      else core.block({ code: 'no-tracker', what: 'this program has no tracker for the session' });
    },
  };
};
