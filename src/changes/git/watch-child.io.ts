import type { ChildProcess } from 'node:child_process';
import { readGroupActivity } from '../../base/process/group-activity.io.ts';
import { look, nothingSeen, type Patience, whyTooLong } from './stall.ts';

/**
 * Looks at a git that leads its own process group until it is told to stop. Calls `tooLong` once, after it has ended the group: by TERM first, so that git
 * removes its lock files.
 */
export const watchChild = (
  child: ChildProcess,
  patience: Patience,
  tooLong: (why: string) => void,
): (() => void) => {
  let seen = nothingSeen;
  let timer: NodeJS.Timeout;
  const next = (inMs: number): void => {
    timer = setTimeout(() => {
      seen = look(seen, child.pid === undefined ? null : readGroupActivity(child.pid), inMs);
      const why = whyTooLong(seen, patience);
      if (why === null) next(patience.everyMs);
      else {
        endGroup(child);
        tooLong(why);
      }
    }, inMs);
  };
  next(patience.firstMs);
  return () => clearTimeout(timer);
};

const termMs = 500;

/** TERM, and KILL to a group that has not ended soon. Its pipes are closed: the answer is given already. */
export const endGroup = (child: ChildProcess): void => {
  const { pid } = child;
  child.stdin?.destroy();
  child.stdout?.destroy();
  child.stderr?.destroy();
  if (pid === undefined) return;
  send(pid, 'SIGTERM');
  if (child.exitCode === null && child.signalCode === null) setTimeout(() => send(pid, 'SIGKILL'), termMs);
};

const send = (group: number, signal: 'SIGTERM' | 'SIGKILL'): void => {
  try {
    process.kill(-group, signal);
  } catch {
    // The group has ended.
  }
};
