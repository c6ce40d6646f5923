import type { Brief } from '../../agents/port.ts';
import { toFault } from '../../base/fault.ts';
import type { Core } from '../core.ts';
import { type AttemptLog, createAttemptLog } from './logs.ts';

/** The log for an invocation's output: of its task's attempt, or of the invocation itself. The shown part becomes `output.written`. */
export const openAttemptLog = (core: Core, { invocation, task, attempt }: Brief): AttemptLog => {
  const { loop, options } = core;
  return createAttemptLog({
    disk: {
      ...options.disk,
      openAppend: (path) => {
        // The work may be deleting the session.
        core.shadow.repair();
        const handle = options.disk.openAppend(path);
        core.shadow.grow();
        return handle;
      },
    },
    path: task ? options.paths.log(task.id, attempt ?? 1) : options.paths.log(invocation, 1),
    secrets: options.secrets ?? [],
    later: loop.later,
    show: ({ stream, text, byte, skipped }) => {
      const of = task ? { task: task.id, attempt: attempt ?? 1 } : {};
      const place = { ...(byte === null ? {} : { byte }), ...(skipped > 0 ? { skipped } : {}) };
      loop.commit({ type: 'output.written', invocation, ...of, stream, text, ...place });
    },
    broken: (error) => core.block(toFault(error, options.paths.logs)),
  });
};
