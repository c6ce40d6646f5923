import { readdirSync, readFileSync } from 'node:fs';

/** What the processes of a group have done so far, and whether any of them does something now. */
export interface GroupActivity {
  /** CPU time, in ticks of the clock. */
  readonly ticks: number;
  /** Bytes that their system calls have read and written. */
  readonly bytes: number;
  /** Each of them waits for something that a signal can interrupt: not for a disk. */
  readonly waits: boolean;
  /** One of them waits for the other end of a FIFO. */
  readonly atFifo: boolean;
}

/** The activity of a process group; `null` without `/proc`, or when the group has ended. */
export const readGroupActivity = (group: number): GroupActivity | null => {
  const members = pids().flatMap((pid) => memberOf(pid, group) ?? []);
  if (members.length === 0) return null;
  return {
    ticks: members.reduce((sum, { ticks }) => sum + ticks, 0),
    bytes: members.reduce((sum, { pid }) => sum + bytesOf(pid), 0),
    waits: members.every(({ state }) => interruptible.has(state)),
    atFifo: members.some(({ pid }) => textOf(`/proc/${pid}/wchan`) === 'wait_for_partner'),
  };
};

/** proc_pid_stat(5): sleeping, stopped, stopped by a tracer. */
const interruptible: ReadonlySet<string> = new Set(['S', 'T', 't']);

interface Member {
  readonly pid: string;
  readonly state: string;
  readonly ticks: number;
}

/** Fields of proc_pid_stat(5), counted from 3 after the last parenthesis. */
const memberOf = (pid: string, group: number): Member | null => {
  const text = textOf(`/proc/${pid}/stat`);
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = ''] = fields;
  if (Number(fields[2]) !== group || state === 'Z' || state === 'X') return null;
  return { pid, state, ticks: Number(fields[11]) + Number(fields[12]) };
};

const bytesOf = (pid: string): number =>
  [...textOf(`/proc/${pid}/io`).matchAll(/^[rw]char: (\d+)$/gm)].reduce(
    (sum, [, bytes]) => sum + Number(bytes),
    0,
  );

const pids = (): readonly string[] => {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
};

/** A process that ended meanwhile has no text. */
const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};
