import { relative } from 'node:path';
import { assertNever } from '../base/assert-never.ts';
import { toFault } from '../base/fault.ts';
import type { StopReport } from '../base/spawn.ts';
import type { Effect } from '../pipeline/effect.ts';
import type { SignalLife } from '../pipeline/state.ts';
import { readUnprocessedFeedback } from '../session/feedback.ts';
import type { Broadcasts } from './broadcasts.ts';
import type { Claims } from './claims.ts';
import type { Core } from './core.ts';
import type { Invocations } from './invocation.ts';
import type { Orders } from './orders.ts';
import { prepareIteration } from './prepare.ts';
import type { Snapshots } from './snapshots.ts';
import { sweepSignals } from './sweep.ts';
import type { Timers } from './timers.ts';
import type { Watch } from './watch.ts';

export interface Performers {
  readonly core: Core;
  readonly orders: Orders;
  readonly claims: Claims;
  readonly broadcasts: Broadcasts;
  readonly invocations: Invocations;
  readonly snapshots: Snapshots;
  readonly timers: Timers;
  readonly watch: Pick<Watch, 'reconcile'>;
  /** Frees everything and ends the engine. */
  readonly close: () => void;
}

const stillOpen: ReadonlySet<SignalLife['stage']> = new Set<SignalLife['stage']>(['pending']);

/** Does what the pipeline asks for: the only place where a decision becomes a deed. Total over the effects. */
export const perform = (parts: Performers, effect: Effect): void => {
  switch (effect.type) {
    case 'invoke-agent':
      parts.invocations.invoke(effect.brief, effect.backend);
      break;
    case 'stop-invocation':
      parts.invocations.stop(effect.invocation, effect.reason);
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
    case 'prepare-iteration':
      prepareIteration(parts.core.options, parts.core.loop.state(), effect.iteration);
      break;
    case 'sweep-signals':
      sweepSignals(parts.core, parts.claims, parts.broadcasts, effect);
      // What was taken back since the last look would stand as pending for ever: nobody looks again.
      if (effect.why === 'session-end') parts.watch.reconcile(stillOpen);
      break;
    case 'look-for-feedback':
      lookForFeedback(parts.core, effect.iteration);
      break;
    case 'stop-session':
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
      core.loop.run(() => {
        core.loop.commit({
          type: 'processes.stopped',
          reason,
          stopped: [...report.stopped],
          unverified: [...report.unverified],
        });
        orders.stopped(describeStop(report));
      });
    })
    .catch((error: unknown) => core.block(toFault(error, 'stopping processes')));
};

/** "Gone" is said only of what was shown to be gone (product.md, Rules of truth). */
const describeStop = ({ stopped, unverified }: StopReport): string => {
  if (unverified.length > 0) return `aborted; could not verify: pids ${unverified.join(', ')}`;
  const count = `${stopped.length} ${stopped.length === 1 ? 'process' : 'processes'}`;
  return stopped.length === 0
    ? 'aborted: no process was running'
    : `aborted: ${count} stopped, verified gone`;
};

const lookForFeedback = ({ options, loop, problem }: Core, iteration: number): void => {
  const { disk, paths } = options;
  const { value, problems } = readUnprocessedFeedback(disk, paths, iteration - 1);
  for (const fault of problems) problem(fault);
  const directories = value.map(({ directory }) => relative(paths.directory, directory));
  loop.commit({ type: 'feedback.found', iteration, directories });
};
