import { afterAwake } from '../../base/after-awake.ts';
import type { Fault } from '../../base/fault.ts';
import type { Core } from '../core.ts';
import type { Active } from './active.ts';

/**
 * Watches for silence of an agent: reports it while it lasts, from a minute on, and fires the pipeline's timer at the limit. A running command
 * has its own time-out, so its silence does not count. Neither does waiting for others, nor time in which this program did not run.
 */
export const watchSilence = (core: Core, active: Active, waits: (active: Active) => boolean): void => {
  const { loop, options } = core;
  const limit = loop.state().settings.timeouts.stall;
  if (limit <= 0) return;
  const { invocation } = active.brief;
  const step = Math.min(limit / 2, longestUnsaid);
  const begun = options.clock.monotonic();
  active.stall = afterAwake({ after: loop.later }, step, () => {
    if (active.over) return;
    const now = options.clock.monotonic();
    active.alive = Math.min(now, active.alive + Math.max(0, now - begun - step));
    const silent = now - active.alive;
    const busy = loop.state().invocations.get(invocation)?.command !== null || waits(active);
    if (!busy && silent >= limit) loop.commit({ type: 'timer.fired', timer: `stall:${invocation}` });
    else if (!busy && silent >= step) core.problem(silence(core, active, silent));
    if (!active.over) watchSilence(core, active, waits);
  });
};

/** Milliseconds of silence that are not said yet. */
const longestUnsaid = 60_000;

/** An agent that cannot reach its model retries without a word of the protocol. Its own log tells why, and is quoted unread. */
const silence = ({ loop }: Core, { brief, worker }: Active, ms: number): Fault => {
  const agent = loop.state().invocations.get(brief.invocation)?.backend ?? brief.role;
  const log = worker?.lastWords?.() ?? '';
  return {
    code: 'silent',
    what: `${agent} (${brief.invocation}${brief.task === undefined ? '' : ` on ${brief.task.id}`}) has sent nothing for ${Math.round(ms / 1_000)} s${log === '' ? '' : `; its log ends with "${log}"`}`,
    hint: 'its model may be slow or unreachable; if this continues, the agent will be stopped and called again (timeouts.stall)',
  };
};
