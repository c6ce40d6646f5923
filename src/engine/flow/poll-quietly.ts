import { pollTimerName } from '../../pipeline/modes/flow/flow-state.ts';
import type { Timers } from '../timers.ts';
import type { FlowContext } from './flow-context.ts';
import { isAsKnown } from './read-group.ts';
import { areAsSeen, mergedMeanwhile } from './watch-pull-request.ts';

/**
 * What the timer of the poll does: it looks at the tracker and at open pull requests first, and waits for the next time when nothing has changed, so that a long wait leaves no
 * lines in the journal. Otherwise the pipeline reads the group as ever.
 */
export const pollQuietly = (context: FlowContext, timers: Timers): void => {
  const { core, changes } = context;
  const { loop, options } = core;
  const read = (): void => {
    if (loop.isOpen()) loop.run(() => loop.commit({ type: 'timer.fired', timer: pollTimerName }));
  };
  const { flow, state, hold, abort, drain, settings } = loop.state();
  const isWaiting = flow !== null && flow.reading !== null && flow.step === null && !flow.due;
  if (!isWaiting || state !== 'EXECUTING_BATCH' || hold !== null || abort !== null || drain !== null) {
    read();
    return;
  }
  void changes.during(
    isAsBefore(context).then((same) => {
      if (!same) read();
      else if (loop.isOpen()) timers.arm(pollTimerName, options.clock.now() + settings.flow.poll);
    }, read),
  );
};

const isAsBefore = async (context: FlowContext): Promise<boolean> =>
  (await isAsKnown(context)) && (await areAsSeen(context)) && (await mergedMeanwhile(context)).length === 0;
