import type { InvocationId } from '../../agents/port.ts';
import { afterAwake } from '../../base/after-awake.ts';
import type { Fault } from '../../base/fault.ts';
import type { Core } from '../core.ts';
import type { Active } from './active.ts';

/**
 * Watches for silence of an agent: reports a problem after half the limit, fires the pipeline's timer at the limit. A running command
 * has its own time-out, so its silence does not count. Neither does waiting for others, nor time in which this program did not run.
 */
export const watchSilence = (core: Core, active: Active, waits: (active: Active) => boolean): void => {
  const { loop, options } = core;
  const limit = loop.state().settings.timeouts.stall;
  if (limit <= 0) return;
  const { invocation } = active.brief;
  const begun = options.clock.monotonic();
  active.stall = afterAwake({ after: loop.later }, limit / 2, () => {
    if (active.over) return;
    const now = options.clock.monotonic();
    active.alive = Math.min(now, active.alive + Math.max(0, now - begun - limit / 2));
    const silent = now - active.alive;
    const busy = loop.state().invocations.get(invocation)?.command !== null || waits(active);
    if (!busy && silent >= limit) loop.commit({ type: 'timer.fired', timer: `stall:${invocation}` });
    else if (!busy && silent >= limit / 2) core.problem(silence(invocation, silent));
    if (!active.over) watchSilence(core, active, waits);
  });
};

const silence = (invocation: InvocationId, ms: number): Fault => ({
  code: 'silent',
  what: `${invocation} has given no sign of life for ${Math.round(ms / 1_000)} s`,
  hint: 'it is stopped and called again when that lasts (timeouts.stall)',
});
