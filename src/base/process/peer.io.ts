import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hasLimitMark } from './limit-mark.io.ts';
import { markersOf, readProcess } from './process-table.io.ts';

/**
 * Why the process that claims this pid may not speak for a person; `null`: it may. It must hold `proof`, a file that nobody else knows, so that a
 * pid cannot be borrowed; it must have a terminal; and neither it nor a process above it may belong to a run. Where the system does not show this, nobody may.
 */
export const peerProblem = (pid: number, proof: string): string | null => {
  if (!existsSync('/proc/self/stat')) return 'this system does not show which process is connected';
  if (!holds(pid, proof)) return `process ${pid} is not the one that is connected`;
  if (!hasTerminalOf(pid)) return `process ${pid} has no terminal`;
  return belongsToRun(pid) ? `process ${pid} was started by an agent` : null;
};

/**
 * Whether a process, or one above it, is an agent's or that of a command of a session: by its environment, or by the limit that it keeps when it sheds that,
 * its parent and its session. Where the system does not show this, only the process's own environment tells (`RALPH_RUN`).
 */
export const belongsToRun = (pid: number): boolean => {
  if (!existsSync('/proc/self/stat')) return false;
  const line = lineOf(pid);
  return line.some(hasLimitMark) || markersOf(line).size > 0;
};

const holds = (pid: number, file: string): boolean => {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((name) => linkOf(`/proc/${pid}/fd/${name}`) === file);
  } catch {
    // It is gone, or belongs to someone else.
    return false;
  }
};

const linkOf = (path: string): string | null => {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
};

const hasTerminalOf = (pid: number): boolean => {
  try {
    const [, , , , terminal = '0'] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return terminal !== '0';
  } catch {
    return false;
  }
};

/** The process and all above it. */
const lineOf = (pid: number): readonly number[] => {
  const line: number[] = [];
  for (let next: number | undefined = pid; next !== undefined && next > 0 && !line.includes(next); ) {
    line.push(next);
    next = readProcess(next)?.parent;
  }
  return line;
};
