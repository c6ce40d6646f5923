import { markerOf } from '../../agents/marker.ts';
import type { Brief, InvocationId } from '../../agents/port.ts';
import type { StopReport } from '../../base/process/spawn.ts';
import type { Core } from '../core.ts';

/** Looks for processes that outlive the work of an agent with a model (src/engine/README.md, Processes). */
export type SweepWork = (brief: Brief, kept: readonly number[]) => Promise<void>;

/**
 * Stops survivors with the marker of the work but for those that are kept, and names those that nothing proves to be its own: once each, in the attempt and among the problems of
 * the session. `stop`: stops and verifies what has the marker of an invocation.
 */
export const createSweepWork = (
  core: Core,
  stop: (invocation: InvocationId) => Promise<StopReport>,
): SweepWork => {
  const told = new Set<number>();
  return async ({ invocation, workspace, model }, kept) => {
    if (model === undefined || !core.loop.isOpen()) return;
    const { spawn, paths } = core.options;
    const { marked, possibly } = spawn.survivors(
      markerOf({ sessionDirectory: paths.directory, invocation }),
      workspace,
    );
    const report = marked.every((pid) => kept.includes(pid))
      ? { stopped: [], unverified: [] }
      : await stop(invocation);
    const left = possibly.filter((pid) => !told.has(pid) && !report.stopped.includes(pid));
    for (const pid of left) told.add(pid);
    if (!core.loop.isOpen()) return;
    core.loop.run(() => {
      if (report.stopped.length > 0)
        note(core, invocation, `left ${pids(report.stopped)} running when it ended; now stopped`);
      const doubts = [
        ...(report.unverified.length > 0 ? [`could not verify that ${pids(report.unverified)} ended`] : []),
        ...(left.length > 0 ? [`may have left ${pids(left)} running, which could not be confirmed`] : []),
      ];
      for (const text of doubts) {
        note(core, invocation, text);
        core.problem({ code: 'left-running', what: `${invocation} ${text}`, hint: 'check with `ps`' });
      }
    });
  };
};

const note = ({ loop }: Core, invocation: InvocationId, text: string): void => {
  loop.commit({ type: 'finding.noted', invocation, text });
};

const pids = (all: readonly number[]): string => `${all.length === 1 ? 'pid' : 'pids'} ${all.join(', ')}`;
