import { relative } from 'node:path';
import { assertNever } from '../base/assert-never.ts';
import { type Fault, toFault } from '../base/fault.ts';
import type { StopReport } from '../base/process/spawn.ts';
import type { Effect } from '../pipeline/effect.ts';
import { backendOf } from '../pipeline/invoke.ts';
import type { FlowStep } from '../pipeline/modes/flow/flow-state.ts';
import type { SessionState } from '../pipeline/state.ts';
import { readUnprocessedFeedback } from '../session/feedback.ts';
import { needsAgent } from '../session/feedback-work.ts';
import type { ChangesSteps } from './changes/changes-steps.ts';
import type { Core } from './core.ts';
import type { EngineOptions } from './engine.ts';
import type { Invocations } from './invocation/invocation.ts';
import type { Backlog } from './mailbox/backlog.ts';
import type { Broadcasts } from './mailbox/broadcasts.ts';
import type { Claims } from './mailbox/claims.ts';
import type { Deliveries } from './mailbox/deliveries.ts';
import type { SessionSignals } from './mailbox/session-signals.ts';
import { sweepSignals } from './mailbox/sweep.ts';
import { unreachedWords } from './mailbox/unreached-words.ts';
import type { Watch } from './mailbox/watch.ts';
import { prepareIteration } from './prepare.ts';
import type { Snapshots } from './snapshots/snapshots.ts';
import type { Timers } from './timers.ts';
import { observeTurn } from './turns/observe-turn.ts';
import type { WorkspaceMarks } from './turns/workspace-marks.ts';

interface Performers {
  readonly core: Core;
  readonly orders: SessionSignals;
  readonly backlog: Backlog;
  readonly claims: Claims;
  readonly broadcasts: Broadcasts;
  readonly deliveries: Deliveries;
  readonly invocations: Invocations;
  readonly snapshots: Snapshots;
  readonly timers: Timers;
  readonly steps: ChangesSteps;
  readonly watch: Pick<Watch, 'reconcile'>;
  readonly takeFlowStep: (step: FlowStep) => void;
  /** Looks at the files of the workspace, for the turns of a loop. */
  readonly look: () => Promise<WorkspaceMarks>;
  /** Releases everything and ends the engine. */
  readonly close: () => void;
}

/** Performs an effect of the pipeline. The only place where decisions take effect outside. Total over the effects. */
export const perform = (parts: Performers, effect: Effect): void => {
  switch (effect.type) {
    case 'invoke-agent':
      parts.invocations.invoke(effect.brief, effect.backend);
      break;
    case 'stop-invocation':
      parts.invocations.stop(effect.invocation, effect.reason, (report) => {
        const { loop } = parts.core;
        if (loop.isOpen()) loop.run(() => parts.orders.attemptStopped(effect.invocation, report));
      });
      break;
    case 'stop-everything':
      stopEverything(parts, effect.reason);
      break;
    case 'arm-timer':
      parts.timers.arm(effect.timer, effect.at_ms);
      break;
    case 'disarm-timer':
      parts.timers.disarm(effect.timer);
      break;
    case 'write-snapshots':
      parts.snapshots.write(effect.now);
      break;
    case 'take-edit':
      parts.snapshots.takeEdit(effect.request);
      break;
    case 'prepare-iteration':
      prepareIteration(parts.core.options, parts.core.loop.state(), effect.iteration);
      break;
    case 'sweep-signals':
      sweepSignals(parts, effect);
      // Signals withdrawn since the last look would stay pending for ever, because no look follows.
      if (effect.why === 'session-end') parts.watch.reconcile();
      break;
    case 'observe-turn':
      observeTurn(parts.core, parts.look, effect.turn);
      break;
    case 'look-for-feedback':
      lookForFeedback(parts.core, effect.iteration);
      break;
    case 'take-changes-step':
      parts.steps.take(effect.step);
      break;
    case 'take-flow-step':
      parts.takeFlowStep(effect.step);
      break;
    case 'remove-worktrees':
      parts.steps.remove(effect.task);
      break;
    case 'close-changes':
      parts.steps.close();
      break;
    case 'stop-session':
      parts.orders.abandonStopping();
      parts.close();
      break;
    default:
      assertNever(effect);
  }
};

const stopEverything = ({ core, orders, invocations }: Performers, reason: 'abort' | 'quit'): void => {
  invocations
    .stopAll(reason)
    .then((report) => {
      if (!core.loop.isOpen()) return;
      const { spawn, paths } = core.options;
      const left = spawn.possiblyLeft(paths.workspace).filter((pid) => !report.unverified.includes(pid));
      core.loop.run(() => {
        core.loop.commit({
          type: 'processes.stopped',
          reason,
          stopped: [...report.stopped],
          unverified: [...report.unverified, ...left],
        });
        orders.stopped(describeStop(report, left, unreachedWords(core.loop.state(), report.unreached)));
      });
    })
    .catch((error: unknown) => core.block(toFault(error, 'stopping processes')));
};

/** Says "gone" only for verified processes (src/cli/README.md, Rules of truth). */
const describeStop = (
  { stopped, unverified }: StopReport,
  left: readonly number[],
  unreached: readonly string[],
): string => {
  const doubts = [
    ...unreached,
    ...(unverified.length > 0 ? [`could not verify that pid ${unverified.join(', ')} ended`] : []),
    ...(left.length > 0 ? [`pid ${left.join(', ')} may still be running`] : []),
  ];
  if (doubts.length > 0) return `aborted; ${doubts.join('; ')}`;
  const count = `${stopped.length} ${stopped.length === 1 ? 'process' : 'processes'}`;
  return stopped.length === 0
    ? 'aborted: no process was running'
    : `aborted: ${count} stopped and verified gone`;
};

const lookForFeedback = ({ options, loop, problem }: Core, iteration: number): void => {
  const { disk, paths } = options;
  const { value, problems } = readUnprocessedFeedback(disk, paths, iteration - 1);
  for (const fault of problems) problem(fault);
  const wordy = worksOnWords(options, loop.state())
    ? undefined
    : value.find(({ feedback }) => needsAgent(feedback, loop.state().tasks.keys()));
  if (wordy) problem(waitsForAgent(relative(paths.directory, wordy.directory)));
  // All or nothing: the Planner of an iteration reads all its feedback.
  const directories = (wordy ? [] : value).map(({ directory }) => relative(paths.directory, directory));
  loop.commit({ type: 'feedback.found', iteration, directories });
};

const worksOnWords = ({ backends }: EngineOptions, state: SessionState): boolean =>
  (['Planner', 'Executor'] as const).some((role) => {
    const name = backendOf(state, role, null);
    return backends.find((backend) => backend.name === name)?.onlyCommands !== true;
  });

const waitsForAgent = (where: string): Fault => ({
  code: 'feedback-in-words',
  what: 'written feedback needs an agent with a model',
  where,
  hint: 'resume with --agent NAME, name a task ID, or write a command as its Suggested Fix',
});
