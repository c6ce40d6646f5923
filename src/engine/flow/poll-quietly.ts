import { pollTimerName } from '../../pipeline/modes/flow/flow-state.ts';
import type { Timers } from '../timers.ts';
import type { FlowContext } from './flow-context.ts';
import { isAsKnown } from './read-group.ts';

/**
 * What the timer of the poll does: it looks at the tracker first, and waits for the next time when nothing has changed, so that a long wait leaves no
 * lines in the journal. Otherwise the pipeline reads the group as ever.
 */
export const pollQuietly = (context: FlowContext, timers: Timers): void => {
  const { core, changes } = context;
  const { loop, options } = core;
  const read = (): void => {
    if (loop.isOpen()) loop.run(() => loop.commit({ type: 'timer.fired', timer: pollTimerName }));
  };
  const { flow, state, hold, abort, drain, settings } = loop.state();
  // An open pull request is looked at with each reading.
  const watches = [...(flow?.works.values() ?? [])].some(({ watched }) => watched !== null);
  const isWaiting = flow !== null && flow.reading !== null && flow.step === null && !flow.due && !watches;
  if (!isWaiting || state !== 'EXECUTING_BATCH' || hold !== null || abort !== null || drain !== null) {
    read();
    return;
  }
  void changes.during(
    isAsKnown(context).then((same) => {
      if (!same) read();
      else if (loop.isOpen()) timers.arm(pollTimerName, options.clock.now() + settings.flow.poll);
    }, read),
  );
};
